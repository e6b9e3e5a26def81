# Enters a poorer machine than this one, then becomes the wanted program; nothing in the product knows of it.
# perl world.pl [hide=FILE]… [passwd=FILE] [no-user-namespaces] [user=ID] [try=PART]… -- PROGRAM ARGUMENT…
# hide: what lies there is no program any more. no-user-namespaces: a call filter refuses them. user: an ordinary user.
# passwd: the users there are. try: ends with a word on stderr where the machine has no landlock or no user-namespaces.
use strict;
use POSIX ();

my $machine = (POSIX::uname())[4];
my %numbers = (
  x86_64  => { arch => 0xc000003e, clone => 56, unshare => 272, mount => 165, prctl => 157 },
  aarch64 => { arch => 0xc00000b7, clone => 220, unshare => 97, mount => 40, prctl => 167 },
);
my $call = $numbers{$machine} or die "world: no call numbers for $machine\n";
my ($NEW_USER, $NEW_MOUNTS, $CLONE3) = (0x10000000, 0x00020000, 435);

my (@hidden, $passwd, $refuse, $user, %tried);
while (defined(my $word = shift @ARGV)) {
  last if $word eq '--';
  if    ($word =~ /^hide=(.+)$/s)           { push @hidden, $1 }
  elsif ($word =~ /^passwd=(.+)$/s)         { $passwd = $1 }
  elsif ($word eq 'no-user-namespaces')     { $refuse = 1 }
  elsif ($word =~ /^user=(\d+)$/)           { $user = $1 }
  elsif ($word =~ /^try=(.+)$/)             { $tried{$1} = 1 }
  else                                      { die "world: unknown step $word\n" }
}
@ARGV or die "world: no program\n";
cover() if @hidden || defined $passwd;
refuse_user_namespaces() if $refuse;
become($user) if defined $user;
try_landlock() if $tried{landlock};
try_user_namespace() if $tried{'user-namespaces'};
exec { $ARGV[0] } @ARGV or die "world: $ARGV[0]: $!\n";

sub must { my ($name, $result) = @_; die "world: $name: $!\n" if $result < 0 }

# perl's syscall takes no literal text.
sub mount { my @words = @_; must('mount', syscall($call->{mount}, @words)) }

# A mount namespace of our own. Only as root: in a user namespace the programs of the system would belong to nobody.
sub cover {
  must('unshare', syscall($call->{unshare}, $NEW_MOUNTS));
  mount('none', '/', 0, 0x44000, 0);
  mount('/dev/null', $_, 0, 0x1000, 0) for grep { -f $_ } @hidden;
  mount($passwd, '/etc/passwd', 0, 0x1000, 0) if defined $passwd;
}

# clone and unshare by their flags; clone3 keeps its flags in memory, where a filter cannot look, so that libc falls back.
sub refuse_user_namespaces {
  must('prctl', syscall($call->{prctl}, 38, 1, 0, 0, 0)) if $> != 0;
  my ($EPERM, $ENOSYS) = (0x00050001, 0x00050026);
  my @filter = (
    [0x20, 0, 0, 4], [0x15, 0, 7, $call->{arch}], [0x20, 0, 0, 0],
    [0x15, 6, 0, $CLONE3], [0x15, 1, 0, $call->{clone}], [0x15, 0, 3, $call->{unshare}],
    [0x20, 0, 0, 16], [0x45, 0, 1, $NEW_USER], [0x06, 0, 0, $EPERM],
    [0x06, 0, 0, 0x7fff0000], [0x06, 0, 0, $ENOSYS],
  );
  my $bytes = join '', map { pack 'SCCL', @$_ } @filter;
  my $program = pack 'S x6 P', scalar @filter, $bytes;
  must('seccomp', syscall($call->{prctl}, 22, 2, $program, 0, 0));
}

sub become {
  my ($id) = @_;
  $) = "$id $id"; $( = $id;
  $< = $> = $id;
  die "world: user $id: $!\n" if $< != $id || $> != $id || $( + 0 != $id;
}

# Version 4 is the first that covers truncation and TCP.
sub try_landlock { die "Landlock is not to be had\n" if syscall(444, 0, 0, 1) < 4 }

sub try_user_namespace {
  my $child = fork // die "world: fork: $!\n";
  POSIX::_exit(syscall($call->{unshare}, $NEW_USER) < 0 ? 1 : 0) if $child == 0;
  waitpid $child, 0;
  die "user namespaces are refused\n" if $? != 0;
}
