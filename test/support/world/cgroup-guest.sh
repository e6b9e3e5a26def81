#!/bin/sh
# The first process of that machine: NODE SCRIPT USER come on its command line behind `--`.
node=$1 script=$2 user=$3
mount -t proc proc /proc
mount -t sysfs sys /sys
mount -t cgroup2 c /sys/fs/cgroup
mount -t tmpfs tmp /mnt
mkdir -m 1777 /mnt/tmp
mount -t tmpfs shm /dev/shm
perl -e 'socket($s, 2, 2, 0); ioctl($s, 0x8914, pack("a16 s x22", "lo", 0x41))'
export HOME=/mnt/tmp TMPDIR=/mnt/tmp PATH=/usr/bin:/bin
echo "AS root"
$node $script 2>&1
# As a service manager delegates: a folder of the user's own that hands both controllers down, with the process below it.
mkdir -p /sys/fs/cgroup/delegated/own
echo '+memory +pids' >/sys/fs/cgroup/cgroup.subtree_control
echo '+memory +pids' >/sys/fs/cgroup/delegated/cgroup.subtree_control
chown -R $user:$user /sys/fs/cgroup/delegated
echo 0 >/sys/fs/cgroup/delegated/own/cgroup.procs
echo "AS user"
setpriv --reuid $user --regid $user --clear-groups $node $script 2>&1
perl -e 'syscall(169, 0xfee1dead, 672274793, 0x4321fedc, 0)'
