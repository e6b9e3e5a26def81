# Becomes the wanted program: every tier's last steps, in an order in which none can undo another.
# perl   launcher.pl   NAME=NUMBER,… (system calls)   STEP…   --   PROGRAM ARGUMENT…
# Perl because it is part of every Debian and Ubuntu; no modules but strict, because loading them costs more than the work.
use strict;

my $stage = 'start';
my %call = map { my ($name, $number) = split /=/; ($name, $number + 0) } split /,/, shift @ARGV;
my (%plan, @covers, @binds, @parts, @limits, @grants, @groups, $report);
while (@ARGV) {
  my $word = shift @ARGV;
  last if $word eq '--';
  my ($key, $value) = $word =~ /^([a-z-]+)=(.*)$/s or fail("step $word");
  if    ($key =~ /^(?:bind|show)$/) {
    my ($at) = shift(@ARGV) =~ /^at=(.*)$/s or fail("$key without at");
    push @{$key eq 'bind' ? \@binds : \@parts}, [substr($value, 0, 1), substr($value, 1), $at];
  }
  elsif ($key eq 'cover') { push @covers, $value }
  elsif ($key eq 'limit') { push @limits, [split /:/, $value] }
  elsif ($key eq 'grant') { push @grants, [split //, $value, 2] }
  elsif ($key eq 'group') { push @groups, $value }
  elsif ($key eq 'report') { report_to($value) }
  elsif ($key =~ /^(?:host|parent|enter|namespaces|loopback|proxy|name|load|empty|user|cwd|landlock|closed|filter)$/) { $plan{$key} = $value }
  # A misspelt step would be a wall that is not there.
  else                    { fail("step $key") }
}
@ARGV or fail('no program');

enter_groups();
close_inherited();
die_with($plan{parent})             if defined $plan{parent};
enter_layer($plan{enter})           if defined $plan{enter};
enter_namespaces($plan{namespaces}) if defined $plan{namespaces};
ask_host($plan{host})               if defined $plan{host};
offer_proxy($plan{proxy})           if defined $plan{proxy};
leave_session();
become($plan{user})                 if defined $plan{user};
change_folder($plan{cwd})           if defined $plan{cwd};
set_limits();
give_up_capabilities();
gain_nothing_more();
restrict_files($plan{landlock})     if defined $plan{landlock};
filter_calls($plan{filter})         if defined $plan{filter};
$stage = 'exec';
report('ready');
exec { $ARGV[0] } @ARGV;
fail($ARGV[0]);

sub fail {
  my $why = "$stage: @_: $!";
  report("failed $why");
  print STDERR "sandbox: $why\n";
  exit 125;
}

# The one who started us reads there whether the program ran; closed by exec, so that no program can answer for us.
sub report_to {
  my ($descriptor) = @_;
  open($report, '>&=', $descriptor) && fcntl($report, 2, 1) or fail("report $descriptor");
}

sub report { syswrite($report, "$_[0]\n") if $report }

sub call {
  my ($name, @arguments) = @_;
  defined $call{$name} or fail("number of $name");
  return syscall($call{$name}, @arguments);
}

sub must { my $result = call(@_); fail($_[0]) if $result < 0; return $result }

# Before anything else, so that all we use and start is counted. The descriptors were opened by who owns the groups.
sub enter_groups {
  $stage = 'cgroup';
  for my $descriptor (@groups) {
    my $members;
    open($members, '>&=', $descriptor) && defined syswrite($members, '0') or fail("descriptor $descriptor");
  }
}

# A host descriptor without close-on-exec would be open in the program, whatever is mounted or granted.
sub close_inherited {
  $stage = 'descriptors';
  my $next = 3;
  for my $kept (sort { $a <=> $b } grep { defined } $report && fileno $report, $plan{host}, ($plan{proxy} // '') =~ /^(\d+)/) {
    must('close_range', $next, $kept - 1, 0) if $kept > $next;
    $next = $kept + 1;
  }
  must('close_range', $next, 0xffffffff, 0);
}

# The kernel ends us when the host is killed; it may have been killed already.
sub die_with {
  my ($parent) = @_;
  $stage = 'parent';
  must('prctl', 1, 9, 0, 0, 0);
  exit 125 if $parent && getppid() != $parent;
}

# Where the layer is mounted: the user namespace first, which gives the right to the other.
sub enter_layer {
  my ($holder) = @_;
  $stage = 'layer';
  for my $kind (qw(user mnt)) {
    my $handle;
    open($handle, '<', "/proc/$holder/ns/$kind") or fail($kind);
    must('setns', fileno $handle, 0);
    close $handle;
  }
}

# The flags name the namespaces; the caller knows whether the network is among them.
sub enter_namespaces {
  my ($flags) = @_;
  $stage = 'namespaces';
  my ($user, $group) = ($>, $) + 0);
  must('unshare', $flags + 0);
  write_file('/proc/self/setgroups', 'deny');
  write_file('/proc/self/uid_map', "$user $user 1\n");
  write_file('/proc/self/gid_map', "$group $group 1\n");
  my $first = fork_or_fail();
  wait_for($first) if $first;
  die_with(0);
  raise_loopback() if defined $plan{loopback};
  must('sethostname', $plan{name}, length $plan{name}) if defined $plan{name};
  if (@parts) { own_root() } else { mount_view() }
  my $program = fork_or_fail();
  wait_for($program) if $program;
}

# The first process of a pid namespace reaps what daemons leave behind, and its end is the end of them all.
sub wait_for {
  my ($child) = @_;
  close $report if $report;
  close_descriptor($plan{host}) if defined $plan{host};
  close_channel() if defined $plan{proxy};
  $SIG{$_} = sub { kill $_[0], $child } for qw(TERM INT HUP);
  while ((my $ended = wait) != $child) { exit 125 if $ended < 0 && $! != 4 }
  exit($? & 127 ? 128 + ($? & 127) : $? >> 8);
}

# A cover that cannot be laid leaves a file that Landlock does not grant: closed, though not empty.
sub mount_view {
  must('mount', 'none', '/', 0, 0x44000, 0);
  must('mount', 'proc', '/proc', 'proc', 0xe, 0);
  call('mount', $plan{empty}, $_, 0, 0x1000, 0) for @covers;
  for my $bind (@binds) {
    my ($how, $from, $at) = @$bind;
    must('mount', $from, $at, 0, 0x5000, 0);
    my $read_only = pack 'QQQQ', 7, 0, 0, 0;
    must('mount_setattr', -100, $at, 0x8000, $read_only, 32) if $how eq 'r';
  }
}

# Where a folder cannot be sealed, a socket of the host may be in view, and nothing local is connected to.
sub own_root {
  require $_ for split /\n/, $plan{load};
  enter_own_root(\@parts) or $plan{filter} = $plan{closed};
}

# Everything around us ends with the host from here on. It may have been killed before that held, and nobody answers then.
sub ask_host {
  my ($descriptor) = @_;
  $stage = 'host';
  my ($line, $answer);
  open($line, '+<&=', $descriptor) && defined syswrite($line, "there?\n") or fail("descriptor $descriptor");
  sysread($line, $answer, 4096) or exit 125;
  close $line;
}

# In a network of its own the interface is there, but down.
sub raise_loopback {
  my $request = pack 'a16 s x22', 'lo', 0x41;
  my $socket;
  socket($socket, 2, 2, 0) && ioctl($socket, 0x8914, $request) or fail('loopback');
}

# Programs inside connect to this port; who accepts is outside, where the socket is handed to on the channel of Node.
sub offer_proxy {
  my ($descriptor, $port) = split /:/, shift;
  $stage = 'proxy';
  my ($listener, $channel, $answer);
  socket($listener, 2, 1, 0) && bind($listener, pack 'S n C4 x8', 2, $port, 127, 0, 0, 1) && listen($listener, 128) or fail("port $port");
  my $text = qq({"cmd":"NODE_HANDLE","type":"net.Server","msg":"proxy"}\n);
  my $part = pack 'P Q', $text, length $text;
  my $rights = pack 'Q l l l x4', 20, 1, 1, fileno $listener;
  must('sendmsg', $descriptor + 0, pack('Q Q P Q P Q Q', 0, 0, $part, 1, $rights, length $rights, 0), 0);
  # Until it has arrived it would be closed with us.
  open($channel, '+<&=', $descriptor) && sysread($channel, $answer, 4096) or fail('no answer');
  $answer =~ /NODE_HANDLE_ACK/ or fail("answer $answer");
  close $channel;
  close_channel();
}

# Not for the program, whatever it is.
sub close_channel {
  close_descriptor($plan{proxy} =~ /^(\d+)/);
  delete @ENV{qw(NODE_CHANNEL_FD NODE_CHANNEL_SERIALIZATION_MODE)};
}

sub close_descriptor { my ($descriptor) = @_; call('close_range', $descriptor + 0, $descriptor + 0, 0) }

# No controlling terminal, so nothing can be typed into it. A process that already leads a session may stay.
sub leave_session { call('setsid') }

sub become {
  my ($user) = @_;
  $stage = 'user';
  drop_bounding();
  must('setgroups', 0, 0);
  must('setresgid', $user + 0, $user + 0, $user + 0);
  must('setresuid', $user + 0, $user + 0, $user + 0);
}

sub change_folder {
  my ($folder) = @_;
  $stage = 'folder';
  chdir $folder or fail($folder);
  # Whoever started us stood elsewhere.
  $ENV{PWD} = $folder;
}

# Set last of all that needs a process of its own: earlier, the limits would count the sandbox too.
# A lower one that was inherited stays: only root could raise it.
sub set_limits {
  $stage = 'limits';
  for my $limit (@limits) {
    my ($resource, $soft, $hard, $beside) = @$limit;
    my $others = $beside ? count_own_threads() : 0;
    my $inherited = pack 'QQ', 0, 0;
    # Not by `call`, which would have a copy filled in.
    syscall($call{prlimit64}, 0, $resource + 0, 0, $inherited) < 0 and fail('prlimit64');
    my $most = (unpack 'QQ', $inherited)[1];
    my $pair = pack 'QQ', map { $_ < $most ? $_ : $most } $soft + $others, $hard + $others;
    must('prlimit64', 0, $resource + 0, $pair, 0);
  }
}

# Outside a user namespace the process limit counts everything the user runs: what runs already is added to it.
sub count_own_threads {
  my $threads = 0;
  opendir(my $all, '/proc') or return 0;
  for my $task (map { "/proc/$_/task" } grep { /^\d+$/ } readdir $all) {
    my ($links, $owner) = (stat $task)[3, 4];
    $threads += $links - 2 if defined $owner && $owner == $<;
  }
  return $threads;
}

sub give_up_capabilities {
  $stage = 'capabilities';
  drop_bounding();
  my ($header, $none) = (pack('LL', 0x20080522, 0), pack('L6', (0) x 6));
  must('capset', $header, $none);
}

# Without the right to do this there is nothing to drop; no_new_privs closes what is left.
sub drop_bounding {
  for my $capability (0 .. 63) { last if call('prctl', 24, $capability, 0, 0, 0) < 0 }
}

sub gain_nothing_more {
  $stage = 'no_new_privs';
  must('prctl', 38, 1, 0, 0, 0);
}

# VERSION:NETWORK. The letter of a grant: r read and run, w everything but devices, l list names, d a device file.
sub restrict_files {
  $stage = 'landlock';
  my ($abi, $network) = split /:/, shift;
  my $all = (1 << 15) - 1;
  $all |= 1 << 15 if $abi >= 5;
  my $attributes = pack 'QQ', $all, $network ? 0 : 3;
  $attributes .= pack 'Q', 3 if $abi >= 6;
  my $rules = must('landlock_create_ruleset', $attributes, length $attributes, 0);
  my %rights = (r => 0b1101, l => 0b1000, w => 0x7fff & ~(1 << 6 | 1 << 11), d => 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15);
  my $for_files = 1 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15;
  for my $grant (@grants) {
    my ($letter, $path) = @$grant;
    sysopen(my $handle, $path, 0x200000) or next;
    my $rights = $rights{$letter} & $all & (-d $handle ? $all : $for_files);
    next unless $rights;
    my $rule = pack 'Ql', $rights, fileno $handle;
    must('landlock_add_rule', $rules, 1, $rule, 0);
  }
  must('landlock_restrict_self', $rules, 0);
  must('close_range', $rules, $rules, 0);
}

sub filter_calls {
  my $filter = pack 'H*', shift;
  $stage = 'seccomp';
  my $program = pack 'S x6 P', length($filter) / 8, $filter;
  must('prctl', 22, 2, $program, 0, 0);
}

sub fork_or_fail {
  my $pid = fork;
  fail('fork') unless defined $pid;
  return $pid;
}

sub write_file {
  my ($file, $text) = @_;
  my $handle;
  sysopen($handle, $file, 1) && defined syswrite($handle, $text) or fail($file);
  close $handle;
}
