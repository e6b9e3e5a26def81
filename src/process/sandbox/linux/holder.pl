# Holds the layer of one run: an overlay over the project, mounted in a namespace of its own that calls enter.
# perl   holder.pl   NAME=NUMBER,… (system calls)   layer=FOLDER   project=FOLDER   [owner=UID:GID user=UID]
# Its standard input says what lies over the project: mask=NAME [absent=PATH …] [closed=PATH …], each ended by NUL, and
# an empty word. It says "locked" when no other holder has the layer, and "ready" once it is mounted.
# Ends with its standard input; with it the mount ends.
use strict;

my %call = map { my ($name, $number) = split /=/; ($name, $number + 0) } split /,/, shift @ARGV;
my %plan = map { word($_, qr/layer|project|owner|user/) } @ARGV;
my ($empty, $at_cwd) = ('', -100);
my ($names, $mask, $merged) = (undef, undef, 'merged');
$| = 1;

chdir $plan{layer} or fail($plan{layer});
if (defined $plan{user}) { enter_as_root() } else { enter_as_user() }
lock_layer();
print "locked\n";
make_mask();
if (defined $plan{user}) { mount_as_root() } else { mount_as_user() }
print "ready\n";
1 while sysread STDIN, my $nothing, 4096;
# While the layer is still locked: with the end of this process the lock would go before the mount does.
call('umount2', $merged, 2);

sub word {
  my ($key, $value) = $_[0] =~ /^([a-z]+)=(.*)$/s or fail("step $_[0]");
  $key =~ /^(?:$_[1])$/ or fail("step $key");
  return ($key, $value);
}

# Whoever started us has written the rest of it, while the project was searched.
sub make_mask {
  local $/ = "\0";
  while (defined(my $said = <STDIN>)) {
    chomp $said;
    return if $said eq '' && defined $mask;
    my ($key, $value) = word($said, qr/mask|absent|closed/);
    if    ($key eq 'absent')            { make_absent($value) }
    elsif ($key eq 'closed')            { close_folder($value) }
    elsif ($value =~ /^mask-[0-9a-f]+$/) { $mask = $value }
    else                                { fail('mask') }
  }
  exit 0;
}

# Two mounts of one upper folder would spoil it: the kernel only warns. Whoever is killed lets go.
sub lock_layer {
  our $lock;
  open($lock, '>>', 'lock') && flock $lock, 2 or fail('lock');
}

sub fail { print STDERR "workspace: @_: $!\n"; exit 125 }
sub call { my ($name, @arguments) = @_; return syscall($call{$name}, @arguments) }
sub must { my $result = call(@_); fail($_[0]) if $result < 0; return $result }

# A deletion as the overlay writes it: the name is not there, whatever the project has by that name.
sub make_absent {
  my $path = "$mask/$_[0]";
  must('mknodat', $at_cwd, $path, 0020000, 0);
}

# Whoever opened it would find it empty: what the project has in a folder of that name is not merged into it.
sub close_folder {
  my $path = "$mask/$_[0]";
  my ($name, $value) = (defined $plan{user} ? 'trusted.overlay.opaque' : 'user.overlay.opaque', 'y');
  mkdir $path, 0700 or fail($path);
  must('setxattr', $path, $name, $value, 1, 0);
  chmod 0, $path or fail($path);
}

sub enter_as_user {
  my ($user, $group) = ($>, $) + 0);
  must('unshare', 0x10000000 | 0x00020000);
  write_file('/proc/self/setgroups', 'deny');
  write_file('/proc/self/uid_map', "$user $user 1\n");
  write_file('/proc/self/gid_map', "$group $group 1\n");
  keep_private();
  must('mount', $plan{project}, 'lower', 0, 0x5000, 0);
}

sub mount_as_user { mount_overlay($mask, 'disk', 'userxattr') }

# Inside, everything of the project's owner belongs to the user of the layer; on disk, what that user makes is the owner's.
sub enter_as_root {
  must('unshare', 0x00020000);
  keep_private();
  my ($uid, $gid) = split /:/, $plan{owner};
  $names = swap_namespace($uid, $gid, $plan{user});
  show_swapped($plan{project}, 'lower');
  show_swapped('disk', 'held');
}

sub mount_as_root {
  show_swapped($mask, 'masked');
  mount_overlay('masked', 'held', 'redirect_dir=on');
}

sub keep_private { must('mount', 'none', '/', 0, 0x44000, 0) }

# Names below the layer's own folder only: no path of a person becomes part of the options.
sub mount_overlay {
  my ($mask, $disk, $own) = @_;
  must('mount', 'overlay', $merged, 'overlay', 0, "lowerdir=$mask:lower,upperdir=$disk/upper,workdir=$disk/work,xino=on,$own");
}

sub show_swapped {
  my ($from, $to) = @_;
  my $tree = must('open_tree', $at_cwd, $from, 0x80001);
  my $attributes = pack 'QQQQ', 0x100000, 0, 0, fileno $names;
  must('mount_setattr', $tree, $empty, 0x1000, $attributes, 32);
  must('move_mount', $tree, $empty, $at_cwd, $to, 4);
}

# A user namespace in which the two have each other's number, and everybody else keeps theirs.
sub swap_namespace {
  my ($uid, $gid, $user) = @_;
  $SIG{CHLD} = 'IGNORE';
  pipe(my $made, my $making); pipe(my $used, my $using);
  my $child = fork // fail('fork');
  if (!$child) {
    close $made; close $using;
    must('unshare', 0x10000000);
    close $making;
    sysread $used, my $nothing, 1;
    exit 0;
  }
  close $making; close $used;
  sysread $made, my $nothing, 1;
  write_file("/proc/$child/uid_map", swapped($uid, $user));
  write_file("/proc/$child/gid_map", swapped($gid, $user));
  open(my $swapped, '<', "/proc/$child/ns/user") or fail('namespace');
  close $using;
  return $swapped;
}

sub swapped {
  my ($low, $high) = sort { $a <=> $b } @_;
  my $last = 0xfffffffe;
  my @ranges = ([0, 0, $low], [$low, $high, 1], [$low + 1, $low + 1, $high - $low - 1], [$high, $low, 1], [$high + 1, $high + 1, $last - $high]);
  return join '', map { "$_->[0] $_->[1] $_->[2]\n" } grep { $_->[2] > 0 } @ranges;
}

sub write_file {
  my ($file, $text) = @_;
  my $handle;
  sysopen($handle, $file, 1) && defined syswrite($handle, $text) or fail($file);
  close $handle;
}
