# Holds the layer of one run: an overlay over the project, mounted in a namespace of its own that calls enter.
# perl   holder.pl   NAME=NUMBER,… (system calls)   layer=FOLDER   project=FOLDER   [owner=UID:GID user=UID]   [absent=PATH …]   [closed=PATH …]
# Says "locked" when no other holder has the layer, waits for a line, and says "ready" once it is mounted.
# Ends with its standard input; with it the mount ends.
use strict;

my %call = map { my ($name, $number) = split /=/; ($name, $number + 0) } split /,/, shift @ARGV;
my (%plan, @absent, @closed);
for my $word (@ARGV) {
  my ($key, $value) = $word =~ /^([a-z]+)=(.*)$/s or fail("step $word");
  if    ($key eq 'absent')                         { push @absent, $value }
  elsif ($key eq 'closed')                         { push @closed, $value }
  elsif ($key =~ /^(?:layer|project|owner|user)$/) { $plan{$key} = $value }
  else                                             { fail("step $key") }
}
my ($empty, $at_cwd) = ('', -100);
$| = 1;

chdir $plan{layer} or fail($plan{layer});
lock_layer();
print "locked\n";
sysread STDIN, my $prepared, 1 or exit 0;
make_absent($_) for @absent;
close_folder($_) for @closed;
if (defined $plan{user}) { mount_as_root() } else { mount_as_user() }
print "ready\n";
1 while sysread STDIN, my $nothing, 4096;

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
  my $path = "mask/$_[0]";
  must('mknodat', $at_cwd, $path, 0020000, 0);
}

# Whoever opened it would find it empty: what the project has in a folder of that name is not merged into it.
sub close_folder {
  my $path = "mask/$_[0]";
  my ($name, $value) = (defined $plan{user} ? 'trusted.overlay.opaque' : 'user.overlay.opaque', 'y');
  mkdir $path, 0700 or fail($path);
  must('setxattr', $path, $name, $value, 1, 0);
  chmod 0, $path or fail($path);
}

sub mount_as_user {
  my ($user, $group) = ($>, $) + 0);
  must('unshare', 0x10000000 | 0x00020000);
  write_file('/proc/self/setgroups', 'deny');
  write_file('/proc/self/uid_map', "$user $user 1\n");
  write_file('/proc/self/gid_map', "$group $group 1\n");
  keep_private();
  must('mount', $plan{project}, 'lower', 0, 0x5000, 0);
  mount_overlay('mask', 'disk', 'userxattr');
}

# Inside, everything of the project's owner belongs to the user of the layer; on disk, what that user makes is the owner's.
sub mount_as_root {
  must('unshare', 0x00020000);
  keep_private();
  my ($uid, $gid) = split /:/, $plan{owner};
  my $names = swap_namespace($uid, $gid, $plan{user});
  show_swapped($plan{project}, 'lower', $names);
  show_swapped('disk', 'held', $names);
  show_swapped('mask', 'masked', $names);
  mount_overlay('masked', 'held', 'redirect_dir=on');
}

sub keep_private { must('mount', 'none', '/', 0, 0x44000, 0) }

# Names below the layer's own folder only: no path of a person becomes part of the options.
sub mount_overlay {
  my ($mask, $disk, $own) = @_;
  must('mount', 'overlay', 'merged', 'overlay', 0, "lowerdir=$mask:lower,upperdir=$disk/upper,workdir=$disk/work,xino=on,$own");
}

sub show_swapped {
  my ($from, $to, $names) = @_;
  my $tree = must('open_tree', $at_cwd, $from, 0x80001);
  my $attributes = pack 'QQQQ', 0x100000, 0, 0, fileno $names;
  must('mount_setattr', $tree, $empty, 0x1000, $attributes, 32);
  must('move_mount', $tree, $empty, $at_cwd, $to, 4);
}

# A user namespace in which the two have each other's number, and everybody else keeps theirs.
sub swap_namespace {
  my ($uid, $gid, $user) = @_;
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
  open(my $names, '<', "/proc/$child/ns/user") or fail('namespace');
  close $using;
  waitpid $child, 0;
  return $names;
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
