# Somebody else's process, for escape attempts to find: perl attack-victim.pl CAPSET SOCKET WORD…
# Holds a local datagram socket, carries what it was given as environment and arguments, and waits to be ended.
use strict;
my ($capset, $path) = @ARGV;
# Root's powers alone would shield it from a root without them; what is tried here is one user's processes.
my ($header, $none) = (pack('LL', 0x20080522, 0), pack('L6', (0) x 6));
syscall($capset + 0, $header, $none);
socket(my $socket, 1, 2, 0) or die "socket: $!\n";
bind($socket, pack 'Sa*', 1, "$path\0") or die "bind: $!\n";
$| = 1;
print "ready\n";
alarm 120;
sleep;
