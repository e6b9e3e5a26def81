# A root of its own for a call of tier S2: an empty file system in memory, the view mounted into it, the machine's left behind.
# Loaded by launcher.pl, which brings `call`, `must` and `fail`, before it becomes the program.
use strict;

my @read_only;

# Each part: how it is shown, what, and where.
sub enter_own_root {
  my ($parts) = @_;
  open_bench() && mkdir 'root', 0755 or fail('bench');
  must('mount', 'tmpfs', 'root', 'tmpfs', 6, 'size=1048576,mode=755');
  my $sealed = 1;
  for my $part (@$parts) {
    my ($how, $what, $at) = @$part;
    $at =~ s{^/}{root/} or fail("place $at");
    if    ($how eq 'r') { show_tree($what, $at, 7) }
    elsif ($how eq 'w') { show_tree($what, $at, 6) }
    elsif ($how eq 'd') { show_tree($what, $at, 3) }
    elsif ($how eq 's') { make_place($at, 1); seal_folder($what, $at) or ($sealed = 0, show_tree($what, $at, 7)) }
    elsif ($how eq 't') { make_place($at, 1); must('mount', 'tmpfs', $at, 'tmpfs', 6, "size=$what,mode=1777") }
    elsif ($how eq 'e') { make_place($at, 1); must('mount', 'tmpfs', $at, 'tmpfs', 6, 'size=65536,mode=755'); push @read_only, $at =~ s{^root}{}r }
    elsif ($how eq 'p') { make_place($at, 1); must('mount', 'proc', $at, 'proc', 0xf, 0) }
    elsif ($how eq 'l') { make_place($at =~ s{/[^/]*$}{}r, 1); symlink $what, $at or fail("link $at") }
    elsif ($how eq 'f') { make_place($at, 0); write_text($at, $what) }
    else                { fail("part $how") }
  }
  chdir 'root' or fail('root');
  must('pivot_root', '.', '.');
  must('umount2', '.', 2);
  chdir '/' or fail('/');
  make_read_only($_) for @read_only, '/';
  return $sealed;
}

# With everything that is mounted below it. The attributes: read-only 1, no setuid 2, no devices 4.
sub show_tree {
  my ($from, $at, $attributes) = @_;
  my $tree = must('open_tree', -100, $from, 0x88001);
  make_place($at, -d $from);
  set_attributes($tree, '', 0x9000, $attributes);
  must('move_mount', $tree, '', -100, $at, 4);
  must('close_range', $tree, $tree, 0);
}

# The root stays as the folders above its mounts, of which each has its own rights.
sub make_read_only { set_attributes(-100, $_[0], 0, 1) }

sub set_attributes {
  my ($descriptor, $path, $flags, $attributes) = @_;
  my $wanted = pack 'QQQQ', $attributes, 0, 0, 0;
  must('mount_setattr', $descriptor, $path, $flags, $wanted, 32);
}

# Never through a link: in what is shown, somebody else put it there, and it would lead out of the new root.
sub make_place {
  my ($at, $is_folder) = @_;
  my @names = split m{/}, $at;
  my ($parent, $last) = ('.', pop @names);
  for my $name (@names) { $parent .= "/$name"; make_one($parent, 1) }
  make_one("$parent/$last", $is_folder);
}

sub make_one {
  my ($path, $is_folder) = @_;
  if (lstat $path) { -l _ and fail("link $path"); return }
  if ($is_folder) { mkdir $path, 0755 or fail("folder $path") } else { write_text($path, '') }
}

sub write_text {
  my ($file, $text) = @_;
  my $handle;
  open($handle, '>', $file) && print {$handle} $text or fail("file $file");
  close $handle;
  chmod 0444, $file;
}

1;
