// Programs whose whole purpose is to run something else: interpreters, and launchers of other programs.

/** They run the file they are given. */
export const INTERPRETERS =
  'sh bash dash zsh ksh mksh ash fish csh tcsh rbash yash oksh loksh pdksh rzsh rksh elvish nu xonsh osh ysh ion murex rc es posh ' +
  'python pypy ipython bpython ptpython micropython graalpy jython hy xonsh-cat node nodejs d8 qjs mujs gjs cjs rhino ' +
  'perl raku ruby jruby truffleruby php lua luajit fennel tclsh jimsh wish expect autoexpect Rscript julia octave-cli ' +
  'groovy groovysh scala scala-cli amm kotlin kotlinc pwsh powershell cmd osascript guile racket gosh csi chibi-scheme ' +
  'mit-scheme scheme sbcl clisp ecl ccl janet clojure clj bb lein elixir iex escript jshell jbang bsh ts-node tsx java ' +
  'ocaml ocamlrun swipl gprolog dart swift crystal rdmd rust-script cling gforth gs ghostscript gimp sage wasmtime wasmer mono';

/** Their arguments are a program, or name one; only a pattern that spells out every word can match. */
export const LAUNCHERS =
  'env xargs parallel sudo doas su runuser chroot nohup timeout nice ionice chrt taskset time watch setsid stdbuf unbuffer ' +
  'script strace ltrace gdb gdbserver lldb dlv rr valgrind perf heaptrack bpftrace stap unshare nsenter flock systemd-run ' +
  'systemctl service at batch crontab busybox toybox command exec eval source builtin trap coproc awk gawk mawk nawk goawk ' +
  'original-awk socat nc ncat netcat telnet ftp lftp ncftp docker podman nerdctl buildah ctr crictl kubectl oc lxc ' +
  'lxc-attach lxc-execute machinectl systemd-nspawn flatpak snap vagrant ansible ansible-playbook salt wine dotnet ' +
  'vim vi view nvim ex ed red emacs emacsclient nano rnano pico joe jed kak hx helix micro rvim rview gvim vimdiff vimtutor ' +
  'less more most pg zless zmore bzmore xzless man info sqlite3 duckdb psql mysql mariadb mongosh mongo redis-cli clickhouse ' +
  'bwrap firejail nsjail setpriv capsh setarch linux32 linux64 start-stop-daemon run-parts daemonize chpst setuidgid envdir ' +
  'softlimit entr tmux screen dtach abduco byobu ssh-agent sshpass autossh dbus-run-session dbus-launch xvfb-run fakeroot ' +
  'fakechroot faketime eatmydata proxychains proxychains4 torsocks proot prlimit choom m4 chronic ifne pee logsave catchsegv ' +
  'lualatex luatex latexmk R ghc ghci runghc runhaskell stack erl irb dc bc octave gnuplot scilab maxima gap gp cpan cpanm ' +
  'pkexec gosu sudoedit visudo su-exec sg newgrp runcon cross-env watchexec nodemon hyperfine concurrently rlwrap tini ' +
  'dumb-init direnv mise asdf pyenv rbenv nix-shell guix ld.so gtimeout gxargs genv pdsh mosh mail mailx mutt neomutt ' +
  'sendmail exim procmail fetchmail fzf sk ranger mc nnn lf vifm tig lazygit xterm konsole gnome-terminal kitty alacritty ' +
  'foot xinit startx xdg-open qemu-user box64 just task rake tox nox invoke inv fab mvn ant puppet sphinx-build debugfs ' +
  'cgexec numactl rsh i386 i486 i586 i686 x86_64 uname26 ' +
  'aa-exec alpine ansible-test apache2ctl batcat bconsole busctl byebug cabal cdist certbot check_by_ssh cobc composer cpulimit ' +
  'crash csvtool cowsay cowthink dialog distcc dmsetup dnf dosbox dstat dvips easy_install eb facter finger gcore genie ginsh ' +
  'grc gtester hping3 iftop jjs journalctl jrunscript jtag knife ksshell ksu links loginctl logrotate minicom mount msfconsole ' +
  'msgfilter multitime neofetch nft nroff ntpdate openvpn openvt opkg pax pdb perlbug pexec pidstat pkg pry psftp rpm rpmdb ' +
  'rpmquery rpmverify rtorrent run-mailcap runscript sash scanmem scrot setlock slsh smbclient socket sqlmap ssh-copy-id sshfs ' +
  'systemd-resolve tasksh tdbtool terraform tofu timedatectl tmate top htop torify tshark update-alternatives varnishncsa virsh ' +
  'volatility w3m lynx elinks wall whiptail wireshark xdotool xpad yelp yum zathura zypper osqueryi vipw vigr crash nsd ' +
  'exiftool gcloud aws az qemu-system gtimeout gstdbuf gnice gnohup gchroot ' +
  'dotenv env-cmd xcrun ccache sccache tsocks timelimit mispipe sem zrun envconsul wp drush crystal dvc';
