# Seals folders of the user's before bubblewrap shows them, then becomes it: no local socket of the host can be reached in them.
# perl   seal.pl   NAME=NUMBER,… (system calls)   load=FILE (sealed-folder.pl)   folder=PATH …   closed=FILTER   --   PROGRAM ARGUMENT…
# Where that fails the call gets the closed filter, under which nothing local can be connected to.
use strict;

my %call = map { my ($name, $number) = split /=/; ($name, $number + 0) } split /,/, shift @ARGV;
my (@folders, %plan);
while (@ARGV) {
  my $word = shift @ARGV;
  last if $word eq '--';
  my ($key, $value) = $word =~ /^(folder|load|closed)=(.*)$/s or fail("step $word");
  if ($key eq 'folder') { push @folders, $value } else { $plan{$key} = $value }
}
defined $plan{closed} && @ARGV or fail('words');
require $plan{load};

close_filter() unless apart() && seal_all();
chdir '/';
exec { $ARGV[0] } @ARGV;
fail($ARGV[0]);

sub fail { print STDERR "sandbox: seal: @_: $!\n"; exit 125 }

sub call {
  my ($name, @arguments) = @_;
  defined $call{$name} or fail("number of $name");
  return syscall($call{$name}, @arguments);
}

# As root without a user namespace, which would take away what the folders of others need.
sub apart {
  my ($user, $group) = ($>, $) + 0);
  return 1 if $user == 0 && call('unshare', 0x00020000) >= 0;
  return 0 if call('unshare', 0x10020000) < 0;
  return write_file('setgroups', 'deny') && write_file('uid_map', "$user $user 1\n") && write_file('gid_map', "$group $group 1\n");
}

sub seal_all {
  open_bench() or return 0;
  for my $folder (@folders) { seal_folder($folder, $folder) or return 0 }
  return 1;
}

# The first such word is the launcher's own: everything of the call comes after it.
sub close_filter {
  for my $word (@ARGV) {
    next unless $word =~ /^filter=[0-9a-f]+$/;
    $word = "filter=$plan{closed}";
    return;
  }
  fail('no filter');
}

sub write_file {
  my ($name, $text) = @_;
  my $handle;
  return sysopen($handle, "/proc/self/$name", 1) && defined syswrite($handle, $text) && close $handle;
}
