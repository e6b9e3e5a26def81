// What a tier leaves open, by stable names that outcomes, records and doctor share.
import type { Text } from '../../base/language.ts';

export const OPEN_POINTS = {
  'file-names-visible': {
    en: 'names, sizes and times of files outside the view can be seen, not their contents',
    zh: '视图之外文件的名称、大小与时间可见，内容不可见',
  },
  'processes-visible': {
    en: 'it can be found out which other processes exist',
    zh: '可以探知其他进程的存在',
  },
  'daemons-may-survive': {
    en: 'a process that leaves its group may outlive the call',
    zh: '脱离进程组的进程可能在调用结束后继续存活',
  },
  'process-limit-shared': {
    en: 'the process limit is counted together with the other processes of this user',
    zh: '进程数上限与该用户的其他进程合并计算',
  },
  'no-process-limit': {
    en: 'the number of processes is not limited (the kernel exempts root)',
    zh: '进程数不受限制（内核豁免 root）',
  },
  'memory-per-process': {
    en: 'there is no cgroup to be had here: memory is limited for each process, not for the call (the limit times the number of processes); shared memory, socket buffers and empty files in /tmp come on top',
    zh: '此处无法使用 cgroup: 内存按进程而非按调用限制（上限乘以进程数）；共享内存、套接字缓冲与 /tmp 中的空文件另计',
  },
  'file-locks': {
    en: 'files that can be read can also be locked, so that programs that wait for a lock wait until the call ends',
    zh: '可读的文件也可被加锁，等待该锁的程序会一直等到调用结束',
  },
  'output-sockets': {
    en: 'there is no mkfifo here: what the process prints goes through sockets, which tell addresses of the host and cannot be opened again as /dev/stdout',
    zh: '此处没有 mkfifo: 进程输出经由套接字，会透露宿主的套接字地址，且不能以 /dev/stdout 重新打开',
  },
  'disk-space': {
    en: 'many files of allowed size may fill the disk of the private work folder',
    zh: '大量未超限的文件可能占满工作目录所在磁盘',
  },
  signals: {
    en: 'other processes of this user can be signalled (the kernel is older than 6.12)',
    zh: '可向该用户的其他进程发送信号（内核低于 6.12）',
  },
  'no-file-isolation': {
    en: 'every file of this user can be read and changed',
    zh: '可读写该用户的所有文件',
  },
  'no-network-isolation': {
    en: 'the network and local sockets can be reached',
    zh: '可访问网络与本地套接字',
  },
  'no-process-isolation': {
    en: 'other processes of this user can be read and signalled',
    zh: '可读取该用户的其他进程并向其发送信号',
  },
  'no-call-filter': {
    en: 'no system call is refused',
    zh: '不限制任何系统调用',
  },
  'no-limits': {
    en: 'memory, processes, file sizes, open files and processor time are not limited',
    zh: '内存、进程数、文件大小、打开文件数与处理器时间均不受限制',
  },
  'inherited-descriptors': {
    en: 'files the host forgot to close may be open in the process',
    zh: '宿主未关闭的文件描述符可能被继承',
  },
  'root-powers': {
    en: 'the process has every power of root',
    zh: '进程拥有 root 的全部权限',
  },
  'may-outlive-host': {
    en: 'the process goes on when Skillwright itself is killed',
    zh: 'Skillwright 被终止后进程可能继续运行',
  },
} as const satisfies Record<string, Text>;

export type OpenPoint = keyof typeof OPEN_POINTS;

export function describeOpenPoint(id: string): Text | undefined {
  return Object.hasOwn(OPEN_POINTS, id) ? OPEN_POINTS[id as OpenPoint] : undefined;
}
