#!/bin/sh
# The first process of that machine: prepares a system with systemd, in which a user who has logged in runs SCRIPT.
# NODE SCRIPT USER COMMAND come on its command line behind `--`; the file system stays read-only.
node=$1 script=$2 user=$3 command=$4 host=${2%/*}/sandbox-host.ts
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t tmpfs -o mode=755 run /run
mount -t tmpfs -o mode=755 state /var/lib/systemd
mount -t tmpfs tmp /mnt
mkdir -m 1777 /mnt/tmp
mkdir -p /run/guest /run/systemd/system
cp /etc/passwd /etc/shadow /run/guest
echo "guest:x:$user:$user::/mnt/tmp:/bin/sh" >>/run/guest/passwd
echo 'guest:*:20000:0:99999:7:::' >>/run/guest/shadow
for file in passwd shadow; do mount --bind /run/guest/$file /etc/$file; done

# Nothing else of the system is started: it might write.
for unit in dbus.socket dbus.service systemd-logind.service; do
  mkdir /run/systemd/system/$unit.d
  printf '[Unit]\nDefaultDependencies=no\n' >/run/systemd/system/$unit.d/guest.conf
done
cat >/run/systemd/system/guest.service <<END
[Unit]
DefaultDependencies=no
Requires=dbus.socket systemd-logind.service
After=dbus.socket systemd-logind.service
[Service]
Type=oneshot
StandardOutput=tty
StandardError=tty
TTYPath=/dev/console
ExecStart=/bin/sh /run/guest/login.sh
ExecStopPost=/usr/bin/perl -e 'syscall(169, 0xfee1dead, 672274793, 0x4321fedc, 0)'
END

cat >/run/guest/login.sh <<END
mount -t tmpfs shm /dev/shm
perl -e 'socket(\$s, 2, 2, 0); ioctl(\$s, 0x8914, pack("a16 s x22", "lo", 0x41))'
runuser -l guest -c 'sh /run/guest/session.sh' 2>&1
END

cat >/run/guest/session.sh <<END
export TMPDIR=/mnt/tmp
bus=/run/user/$user/bus
slice=/sys/fs/cgroup/user.slice/user-$user.slice/user@$user.service/app.slice
cat /proc/self/cgroup
echo "AS session"
$node $script
# An owner that is killed leaves its scope with what shed its environment; the next one takes it away.
mkdir /mnt/tmp/call
$node $host S0 /mnt/tmp/host /mnt/tmp/call 'setsid env -i /bin/sleep 600 & echo >ready; sleep 600' &
owner=\$!
for round in \$(seq 100); do [ -e /mnt/tmp/call/ready ] || sleep 0.2; done
kill -9 \$owner
sleep 1
echo "KEPT \$(ls -d \$slice/skillwright-* 2>/dev/null)"
$node $command doctor --json
echo
sleep 1
echo "LEFT \$(ls -d \$slice/skillwright-* 2>/dev/null)"
# A manager that is there and says nothing.
mv \$bus \$bus.real
perl -MIO::Socket::UNIX -e '\$s = IO::Socket::UNIX->new(Local => \$ARGV[0], Listen => 9); push @a, \$s->accept while 1' \$bus &
silent=\$!
sleep 1
echo "AS silent"
$node $command doctor --json
echo
kill \$silent
rm \$bus
echo "AS alone"
$node $command doctor --json
echo
END
exec /usr/lib/systemd/systemd --unit=guest.service --log-level=warning --log-target=console --show-status=0
