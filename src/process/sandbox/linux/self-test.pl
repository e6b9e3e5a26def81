# Run inside a tier before it is trusted: says "holds" only if what every isolating tier promises is true here.
# perl   self-test.pl   CANARY (a readable file outside the view)   WORK   FOLDER (in the view, with a socket `s` of the host)   PORT (of the host, on loopback)   OWN (1: sockets of its own are promised)
use strict;
my ($canary, $work, $folder, $port, $own) = @ARGV;
my @broken;
push @broken, 'file outside the view readable' if open my $outside, '<', $canary;
push @broken, 'work folder not writable'       unless open my $inside, '>', "$work/held";
push @broken, 'loopback of the host reached'   if connects(2, internet($port));
push @broken, 'shown folder cannot be entered' unless chdir $folder;
push @broken, 'local socket of the host reached' if connects(1, pack 'Sa*', 1, "s\0");
push @broken, 'no loopback of its own'         if $own && !serves(2, internet(0));
push @broken, 'no local sockets of its own'    if $own && !(chdir $work and serves(1, pack 'Sa*', 1, "own\0"));
open my $status, '<', '/proc/self/status' or push @broken, 'own status not readable';
my %field = map { /^(\w+):\s*(\S+)/ ? ($1, $2) : () } <$status>;
push @broken, 'no_new_privs is off'  unless $field{NoNewPrivs} eq '1';
push @broken, 'no call filter'       unless $field{Seccomp} eq '2';
push @broken, 'capabilities left'    unless $field{CapEff} =~ /^0+$/ && $field{CapPrm} =~ /^0+$/;
print @broken ? join('; ', @broken) : 'holds', "\n";

sub internet { return pack 'Sn a4 x8', 2, $_[0], "\x7f\0\0\1" }

sub connects {
  my ($family, $address) = @_;
  my $socket;
  return socket($socket, $family, 1, 0) && connect($socket, $address);
}

sub serves {
  my ($family, $address) = @_;
  my $server;
  socket($server, $family, 1, 0) && bind($server, $address) && listen($server, 1) or return 0;
  return connects($family, $family == 2 ? getsockname $server : $address);
}
