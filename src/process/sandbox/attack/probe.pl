# One escape attempt, run inside a tier: perl attack-probe.pl NAME KEY=VALUE…
# Prints "got through" when the attempt had its effect, else what stopped it. Leaves nothing behind outside WORK.
use strict;

my $name = shift @ARGV;
my %with = map { /^([\w-]+)=(.*)$/s ? ($1, $2) : () } @ARGV;
# Handed over backwards, so that this command line is not itself a find.
$with{canary} = reverse $with{yranac};
my %attempt = (
  'read-home'          => sub { holds_canary(slurp("$with{home}/canary")) },
  'read-through-link'  => sub { symlink("$with{home}/canary", "$with{work}/link"); holds_canary(slurp("$with{work}/link")) },
  'link-home-file'     => sub { link("$with{home}/canary", "$with{work}/hard") && holds_canary(slurp("$with{work}/hard")) },
  'read-hidden'        => sub { holds_canary(slurp("$with{project}/.env")) },
  'see-names'          => sub { -e "$with{home}/canary" },
  'write-home'         => sub { overwrite("$with{home}/written") },
  'truncate-home'      => sub { truncate("$with{home}/victim", 0) },
  'rename-home'        => sub { rename("$with{home}/victim", "$with{home}/moved") },
  'mode-home'          => sub { chmod(0777, "$with{home}/victim"); mode("$with{home}/victim") == 0777 },
  'times-home'         => sub { utime(1, 1, "$with{home}/victim"); (stat "$with{home}/victim")[9] == 1 },
  'write-project'      => sub { overwrite("$with{project}/written") },
  'mode-project'       => sub { chmod(0777, "$with{project}/file"); mode("$with{project}/file") == 0777 },
  'generation-project' => sub { open(my $file, '<', "$with{project}/file") or return 0; my $new = pack 'L', 4711; ioctl($file, 0x40087602, $new) },
  'lease-project'      => sub { open(my $file, '<', "$with{project}/file") or return 0; fcntl($file, 1024, 0) },
  'write-skill'        => sub { overwrite("$with{skill}/written") },
  'write-system'       => sub { overwrite("/usr/written-$$") && unlink("/usr/written-$$") },
  'write-root'         => sub { overwrite("/written-$$") && unlink("/written-$$") },
  'proc-root'          => sub { holds_canary(slurp("/proc/$with{victim}/root$with{home}/canary")) || holds_canary(slurp("/proc/1/root$with{home}/canary")) },
  'raw-device'         => sub { grep { -b $_ && sysopen(my $device, $_, 0x800) } glob '/dev/*' },
  'kernel-settings'    => sub { grep { sysopen(my $file, $_, 1) } '/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger' },
  'tcp'                => sub { connects(2, 1, internet($with{tcp})) },
  'udp'                => sub { keeps_sending(internet($with{udp})) },
  'unix-path'          => sub { connects(1, 1, pack 'Sa*', 1, "$with{unix}\0") },
  'unix-project'       => sub { chdir($with{project}) && connects(1, 1, pack 'Sa*', 1, "s\0") },
  'unix-abstract'      => sub { connects(1, 1, pack 'Sa*', 1, "\0$with{abstract}") },
  'unix-datagram-pair' => sub { datagram_pair() },
  'packet-socket'      => sub { makes_socket(17, 3, 0) },
  'netlink'            => sub { grep { makes_socket(16, 3, $_) } 4, 9, 15, 16 },
  'interfaces'         => sub { lists_interfaces() },
  'proc-network'       => sub { lists_connection(sprintf ':%04X ', $with{tcp}) },
  'read-environment'   => sub { holds_canary(slurp("/proc/$with{victim}/environ")) },
  'read-command-lines' => sub { grep { holds_canary(slurp($_)) } glob '/proc/[0-9]*/cmdline' },
  'find-process'       => sub { kill(0, $with{victim}) || $!{EPERM} },
  'signal-process'     => sub { kill('CONT', $with{victim}) },
  'limit-process'      => sub { my $old = "\0" x 16; call('prlimit64', $with{victim}, 7, 0, $old) },
  'fork-bomb'          => sub { forks(400) >= 400 },
  'memory'             => sub { my $size = $with{memory} + (64 << 20); my $block; eval { $block = "\1" x $size }; length($block) == $size },
  'memory-of-all'      => sub { processes_hold($with{memory}, 4) },
  'memory-shared'      => sub { shared_holds($with{memory} * 1.5) },
  'memory-semaphores'  => sub { apart(0x08000000) && semaphores_hold($with{memory} * 1.2) },
  'memory-messages'    => sub { apart(0x08000000) && messages_hold($with{memory} * 1.2) },
  'memory-sockets'     => sub { sockets_hold($with{memory} * 1.2, 6) },
  'memory-inodes'      => sub { inodes_hold($with{memory} * 1.2) },
  'file-size'          => sub { sparse("$with{work}/large", $with{'file-bytes'} + 1) },
  'open-files'         => sub { my @open; push @open, $_ while @open < 1100 && open($_ = undef, '<', '/dev/null'); @open >= 1100 },
  'fill-tmp'           => sub { fills('/tmp') },
  'fill-shm'           => sub { fills('/dev/shm') },
  'fill-devices'       => sub { fills('/dev') },
  'memory-file'        => sub { my $label = 'x'; call('memfd_create', $label, 0) },
  'shared-memory'      => sub { my $id = syscall($with{shmget}, 0, 4096, 0600 | 01000); shmctl($id, 0, 0) if $id >= 0; $id >= 0 },
  'semaphores'         => sub { my $id = syscall($with{semget}, 0, 1, 0600 | 01000); syscall($with{semctl}, $id, 0, 0, 0) if $id >= 0; $id >= 0 },
  'message-queues'     => sub { my $id = syscall($with{msgget}, 0, 0600 | 01000); syscall($with{msgctl}, $id, 0, 0) if $id >= 0; $id >= 0 },
  'user-namespace'     => sub { call('unshare', 0x10000000) },
  'clone-namespace'    => sub { clones(0x10000000) },
  'clone3'             => sub { my $arguments = pack 'Q11', (0) x 11; call('clone3', $arguments, 0); !$!{ENOSYS} },
  'mount'              => sub { call('mount', 'none', $with{work}, 'tmpfs', 0, 0) && call('umount2', $with{work}, 2) },
  'io-uring'           => sub { my $parameters = "\0" x 120; call('io_uring_setup', 1, $parameters) },
  'keyring'            => sub { call('keyctl', 0, -3, 1) },
  'trace-child'        => sub { traces_child() },
  'page-faults'        => sub { call('userfaultfd', 1) },
  'file-handles'       => sub { my $handle = pack 'LL x128', 128, 0; my $id = "\0" x 8; call('name_to_handle_at', -100, $with{work}, $handle, $id, 0) },
  'personality'        => sub { call('personality', 0xffffffff) },
  'change-root'        => sub { call('chroot', $with{work}) },
  'unknown-call'       => sub { syscall(463, 0, 0, 0, 0, 0); !$!{ENOSYS} },
  'terminal-input'     => sub { my $key = 'x'; ioctl(STDIN, 0x5412, $key); !$!{EPERM} },
  'inherited-files'    => sub { grep { holds_canary(slurp($_)) } map { "/proc/$_/fd/$with{leak}" } $$, 1, getppid },
  'capabilities'       => sub { slurp('/proc/self/status') =~ /^CapEff:\s*0*[1-9a-f]/m },
  'set-user'           => sub { syscall($with{setresuid}, 1, 1, 1) == 0 },
  'fake-verdict'       => sub { fake_verdict() },
  'daemon'             => sub { daemon(); 1 },
);

my $run = $attempt{$name} or die "no such attempt: $name\n";
print $run->() ? "got through\n" : "stopped: $!\n";

sub call {
  my ($what, @arguments) = @_;
  $! = 0;
  @arguments = map { /^-?\d+$/ ? $_ + 0 : $_ } @arguments;
  return syscall($with{$what}, @arguments) >= 0;
}

sub slurp {
  my ($file, $limit) = @_;
  open(my $handle, '<', $file) or return '';
  return slurp_handle($handle, $limit);
}

sub slurp_handle {
  my ($handle, $limit) = @_;
  sysread($handle, my $text, $limit || 65536);
  return $text // '';
}

sub holds_canary { return index($_[0], $with{canary}) >= 0 }

sub overwrite {
  my ($file) = @_;
  open(my $handle, '>', $file) or return 0;
  return print {$handle} 'written';
}

sub mode { return ((stat $_[0])[2] // 0) & 0777 }

sub internet { return pack 'Sn a4 x8', 2, $_[0], "\x7f\0\0\1" }

sub connects {
  my ($family, $type, $address) = @_;
  my $socket;
  return socket($socket, $family, $type, 0) && connect($socket, $address) && syswrite($socket, $with{canary});
}

# The first goes out whether or not anybody is there; where nobody is, one of the next is told so.
sub keeps_sending {
  my ($address) = @_;
  my $socket;
  socket($socket, 2, 2, 0) && connect($socket, $address) or return 0;
  for (1 .. 20) {
    syswrite($socket, $with{canary}) or return 0;
    select undef, undef, undef, 0.01;
  }
  return 1;
}

# Sockets of the kernel: of other programs' connections, of its audit, of devices, of its modules.
sub makes_socket { return socket(my $socket, $_[0], $_[1], $_[2]) }

# A connected pair can be pointed elsewhere, without any call to socket.
sub datagram_pair {
  my ($left, $right);
  socketpair($left, $right, 1, 2, 0) or return 0;
  return send($left, $with{canary}, 0, pack 'Sa*', 1, "$with{datagram}\0");
}

# Any socket tells about the network it was made in: one made here, or one that was handed over as standard output.
sub lists_interfaces {
  socketpair(my $left, my $right, 1, 1, 0) or return 0;
  for my $socket ($left, *STDOUT) {
    my $room = "\0" x 4096;
    my $list = pack 'i x4 P', length $room, $room;
    return 1 if ioctl($socket, 0x8912, $list) && unpack('i', $list) > 0;
  }
  return 0;
}

# The kernel hands such a table out in pieces.
sub lists_connection {
  my ($port) = @_;
  for my $table ('/proc/self/net/tcp', '/proc/self/net/tcp6') {
    open(my $lines, '<', $table) or next;
    while (my $line = <$lines>) { return 1 if index($line, $port) >= 0 }
  }
  return 0;
}

sub forks {
  my ($wanted) = @_;
  my @children;
  while (@children < $wanted) {
    my $child = fork;
    last unless defined $child;
    if (!$child) { sleep 20; exit 0 }
    push @children, $child;
  }
  kill 'KILL', @children;
  waitpid $_, 0 for @children;
  return @children;
}

# Each holds less than one process may, all together more than the call may.
sub processes_hold {
  my ($bytes, $count) = @_;
  return all_hold($count, sub { my $block = "\1" x ($bytes * 0.4); return length $block });
}

# True when so many children have done their part at the same time.
sub all_hold {
  my ($count, $part) = @_;
  pipe(my $ready, my $done);
  my @children = map {
    my $child = fork // 0;
    if (!$child) { my @kept = $part->() or exit 1; syswrite $done, '.'; sleep 10; exit 0 }
    $child;
  } 1 .. $count;
  close $done;
  my $finished = 0;
  eval {
    local @SIG{qw(ALRM CHLD)} = (sub { die }) x 2;
    alarm 8;
    while (sysread $ready, my $mark, 1) { last if ++$finished == $count }
  };
  kill 'KILL', @children;
  waitpid $_, 0 for @children;
  return $finished == $count;
}

sub shared_holds {
  my ($bytes) = @_;
  my $address = syscall($with{mmap}, 0, $bytes + 0, 3, 0x21, -1, 0);
  return 0 if $address < 0;
  open(my $zero, '<', '/dev/zero') or return 0;
  for (my $filled = 0; $filled < $bytes; $filled += 1 << 20) {
    syscall($with{read}, fileno($zero), $address + $filled, 1 << 20) > 0 or return 0;
  }
  return 1;
}

# What is made there goes with the process, even if it is killed half-way.
sub apart {
  my ($namespace) = @_;
  return 1 if call('unshare', $namespace);
  my ($user, $group) = ($>, $) + 0);
  call('unshare', $namespace | 0x10000000) or return 0;
  for (['setgroups', 'deny'], ['uid_map', "$user $user 1"], ['gid_map', "$group $group 1"]) {
    open(my $map, '>', "/proc/self/$_->[0]") or return 0;
    syswrite $map, $_->[1];
  }
  return 1;
}

sub semaphores_hold {
  my ($bytes) = @_;
  my ($held, @made) = (0);
  while ($held < $bytes) {
    my $id = syscall($with{semget}, 0, 32000, 0600 | 01000);
    last if $id < 0;
    push @made, $id;
    $held += 32000 * 64;
  }
  syscall($with{semctl}, $_, 0, 0, 0) for @made;
  return $held >= $bytes;
}

sub messages_hold {
  my ($bytes) = @_;
  my ($held, $message, @made) = (0, pack('q', 1) . 'x' x 8192);
  while ($held < $bytes) {
    my $id = syscall($with{msgget}, 0, 0600 | 01000);
    last if $id < 0;
    push @made, $id;
    for (1, 2) { syscall($with{msgsnd}, $id, $message, 8192, 04000) == 0 and $held += 8192 }
  }
  syscall($with{msgctl}, $_, 0, 0) for @made;
  return $held >= $bytes;
}

sub sockets_hold {
  my ($bytes, $count) = @_;
  return all_hold($count, sub {
    my ($held, $block, @kept) = (0, 'x' x 4096);
    while ($held < $bytes / $count) {
      socketpair(my $left, my $right, 1, 1, 0) or return;
      push @kept, $left, $right;
      for my $end ($left, $right) {
        fcntl $end, 4, 04000;
        while (my $sent = syswrite $end, $block) { $held += $sent }
      }
    }
    return @kept;
  });
}

# An empty file in memory takes about a kibibyte that no size of the file system counts.
sub inodes_hold {
  my ($bytes) = @_;
  my $folder = own_memory_folder() // return 0;
  mkdir "$folder/empty" or return 0;
  my $wanted = $bytes / 1024;
  for my $number (1 .. $wanted) { open(my $file, '>', "$folder/empty/$number") or return 0 }
  return 1;
}

sub own_memory_folder {
  return '/tmp' if slurp('/proc/self/mountinfo') =~ m{^\S+ \S+ \S+ / /tmp .* - tmpfs \S+ \S*\bsize=65536k}m;
  apart(0x00020000) or return undef;
  call('mount', 'none', '/', 0, 0x44000, 0) && call('mount', 'none', $with{work}, 'tmpfs', 0, 0) or return undef;
  return $with{work};
}

# Answers in the launcher's place wherever a descriptor of it may still be open.
sub fake_verdict {
  for my $process ($$, 1) {
    for my $descriptor (3 .. 63) {
      my $way = "/proc/$process/fd/$descriptor";
      # Nothing else of another process is touched.
      next unless (readlink($way) // '') =~ m{/\.skillwright-\w+ \(deleted\)$};
      open(my $report, '+<', $way) or next;
      sysseek $report, 0, 2;
      syswrite $report, "failed faked\n";
    }
  }
  print STDERR "sandbox: faked\n";
  exit 125;
}

sub sparse {
  my ($file, $size) = @_;
  local $SIG{XFSZ} = 'IGNORE';
  open(my $handle, '>', $file) or return 0;
  sysseek($handle, $size - 1, 0) && syswrite($handle, 'x') && -s $file == $size;
}

sub fills {
  my ($folder) = @_;
  my ($file, $block, $written) = ("$folder/fill-$$", "\0" x (1 << 20), 0);
  open(my $handle, '>', $file) or return 0;
  # Gone with us, also when we are killed for it.
  unlink $file;
  while ($written <= $with{temporary}) { last unless my $bytes = syswrite($handle, $block); $written += $bytes }
  return $written > $with{temporary};
}

sub clones {
  my ($flags) = @_;
  my $child = syscall($with{clone}, $flags | 17, 0, 0, 0, 0);
  exec '/bin/true' if $child == 0;
  waitpid $child, 0 if $child > 0;
  return $child > 0;
}

sub traces_child {
  my $child = fork // return 0;
  if (!$child) { sleep 5; exit 0 }
  my $attached = call('ptrace', 16, $child, 0, 0);
  my $why = $!;
  kill 'KILL', $child;
  waitpid $child, 0;
  $! = $why;
  return $attached;
}

# Leaves group and session, holds on for a while and shows it is alive.
sub daemon {
  my $child = fork // return;
  if ($child) { waitpid $child, 0; return }
  syscall($with{setsid});
  exit 0 if fork;
  close STDOUT;
  close STDERR;
  for (1 .. 100) {
    open(my $handle, '>>', "$with{work}/heartbeat") or exit 0;
    print {$handle} '.';
    close $handle;
    select undef, undef, undef, 0.05;
  }
  exit 0;
}
