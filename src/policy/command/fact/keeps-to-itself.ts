// Programs known to run nothing, whatever their arguments are: they read, print, count, compare, pack, copy and remove.

export const INERT =
  'ls dir vdir cat tac nl head tail wc uniq cut paste tr fold fmt pr column colrm expand unexpand rev comm join cmp diff ' +
  'od xxd hexdump hexyl strings grep egrep fgrep zcat bzcat xzcat zstdcat gzip gunzip bzip2 bunzip2 xz unxz lzma unzip ' +
  'zipinfo md5sum sha1sum sha224sum sha256sum sha384sum sha512sum shasum b2sum cksum sum base64 base32 basenc echo printf ' +
  'true false test [ yes seq shuf factor expr numfmt basename dirname realpath readlink stat file du df tree pwd mkdir ' +
  'rmdir touch cp mv rm unlink link ln chmod chown chgrp truncate mktemp sync sleep uname hostid whoami id groups users ' +
  'logname nproc arch printenv tty ps pgrep pidof kill pkill killall free uptime cal ncal which whereis locate jq dos2unix ' +
  'unix2dos iconv tsort tee cloc tokei scc wdiff colordiff pdftotext pdfinfo pdfimages pdftoppm pdftocairo pdfunite ' +
  'pdfseparate pdffonts qpdf mediainfo ffprobe dig nslookup host ping rsvg-convert optipng pngquant jpegoptim cwebp dwebp ' +
  'xmllint tidy csvcut csvgrep csvlook csvstat csvjoin csvsort csvstack csvclean in2csv csvformat shellcheck hadolint ' +
  'yamllint jsonlint markdownlint readelf size getconf locale lsb_release lscpu lsblk lsmem vmstat iostat gls gcat ghead ' +
  'gtail gwc gcut guniq gcp gmv grm gmkdir gls gstat greadlink grealpath';
