# Run inside a tier before it is trusted: says "holds" only if what every isolating tier promises is true here.
# perl   self-test.pl   CANARY (a readable file outside the view)   WORK   SOCKET (call number)
use strict;
my ($canary, $work, $socket) = @ARGV;
my @broken;
push @broken, 'file outside the view readable' if open my $outside, '<', $canary;
push @broken, 'work folder not writable'       unless open my $inside, '>', "$work/held";
push @broken, 'socket made'                    if syscall($socket + 0, 2, 1, 0) >= 0;
open my $status, '<', '/proc/self/status' or push @broken, 'own status not readable';
my %field = map { /^(\w+):\s*(\S+)/ ? ($1, $2) : () } <$status>;
push @broken, 'no_new_privs is off'  unless $field{NoNewPrivs} eq '1';
push @broken, 'no call filter'       unless $field{Seccomp} eq '2';
push @broken, 'capabilities left'    unless $field{CapEff} =~ /^0+$/ && $field{CapPrm} =~ /^0+$/;
print @broken ? join('; ', @broken) : 'holds', "\n";
