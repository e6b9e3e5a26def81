// System call numbers and the families a sandboxed process has no business with, as data.

export const ARCHITECTURES = ['x86_64', 'arm64'] as const;
export type Architecture = (typeof ARCHITECTURES)[number];

/** The kernel's own mark of an architecture, found in every seccomp record. */
export const AUDIT_MARK: Record<Architecture, number> = { x86_64: 0xc000003e, arm64: 0xc00000b7 };

/** Calls above this number were never reviewed; a filtered process gets "no such call". The same on both. */
export const NEWEST_REVIEWED = 462;

/** Undefined: the architecture never had that call. */
const NUMBERS = {
  acct: [163, 89],
  add_key: [248, 217],
  adjtimex: [159, 171],
  bpf: [321, 280],
  capset: [126, 91],
  chmod: [90, undefined],
  chown: [92, undefined],
  chroot: [161, 51],
  clock_adjtime: [305, 266],
  clock_settime: [227, 112],
  clone: [56, 220],
  clone3: [435, 435],
  close_range: [436, 436],
  connect: [42, 203],
  delete_module: [176, 106],
  fanotify_init: [300, 262],
  fchmod: [91, 52],
  fchmodat: [268, 53],
  fchmodat2: [452, 452],
  fchown: [93, 55],
  fchownat: [260, 54],
  fcntl: [72, 25],
  finit_module: [313, 273],
  fremovexattr: [199, 16],
  fsconfig: [431, 431],
  fsetxattr: [190, 7],
  fsmount: [432, 432],
  fsopen: [430, 430],
  fspick: [433, 433],
  futimesat: [261, undefined],
  init_module: [175, 105],
  io_uring_enter: [426, 426],
  io_uring_register: [427, 427],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  ioperm: [173, undefined],
  iopl: [172, undefined],
  ioprio_set: [251, 30],
  kcmp: [312, 272],
  kexec_file_load: [320, 294],
  kexec_load: [246, 104],
  keyctl: [250, 219],
  landlock_add_rule: [445, 445],
  landlock_create_ruleset: [444, 444],
  landlock_restrict_self: [446, 446],
  lchown: [94, undefined],
  lookup_dcookie: [212, 18],
  lremovexattr: [198, 15],
  lgetxattr: [192, 9],
  lsetxattr: [189, 6],
  memfd_create: [319, 279],
  memfd_secret: [447, 447],
  migrate_pages: [256, 238],
  modify_ldt: [154, undefined],
  mmap: [9, 222],
  mknodat: [259, 33],
  mount: [165, 40],
  mount_setattr: [442, 442],
  move_mount: [429, 429],
  move_pages: [279, 239],
  mq_open: [240, 180],
  mq_unlink: [241, 181],
  msgctl: [71, 187],
  msgget: [68, 186],
  msgrcv: [70, 188],
  msgsnd: [69, 189],
  name_to_handle_at: [303, 264],
  nfsservctl: [180, 42],
  open_by_handle_at: [304, 265],
  open_tree: [428, 428],
  perf_event_open: [298, 241],
  personality: [135, 92],
  pidfd_getfd: [438, 438],
  pivot_root: [155, 41],
  prctl: [157, 167],
  prlimit64: [302, 261],
  process_madvise: [440, 440],
  process_vm_readv: [310, 270],
  process_vm_writev: [311, 271],
  ptrace: [101, 117],
  quotactl: [179, 60],
  quotactl_fd: [443, 443],
  read: [0, 63],
  reboot: [169, 142],
  removexattr: [197, 14],
  request_key: [249, 218],
  sched_setaffinity: [203, 122],
  sched_setattr: [314, 274],
  sched_setparam: [142, 118],
  sched_setscheduler: [144, 119],
  sendmsg: [46, 211],
  semctl: [66, 191],
  semget: [64, 190],
  semop: [65, 193],
  semtimedop: [220, 192],
  setdomainname: [171, 162],
  setgroups: [116, 159],
  sethostname: [170, 161],
  setns: [308, 268],
  setpriority: [141, 140],
  setresgid: [119, 149],
  setresuid: [117, 147],
  setsid: [112, 157],
  settimeofday: [164, 170],
  setxattr: [188, 5],
  shmat: [30, 196],
  shmctl: [31, 195],
  shmget: [29, 194],
  socket: [41, 198],
  socketpair: [53, 199],
  swapoff: [168, 225],
  swapon: [167, 224],
  syslog: [103, 116],
  umount2: [166, 39],
  unshare: [272, 97],
  userfaultfd: [323, 282],
  utime: [132, undefined],
  utimensat: [280, 88],
  utimes: [235, undefined],
  vhangup: [153, 58],
} as const satisfies Record<string, readonly [number, number | undefined]>;

export type CallName = keyof typeof NUMBERS;
export const CALL_NAMES = Object.keys(NUMBERS) as CallName[];

export function callNumber(architecture: Architecture, name: CallName): number | undefined {
  return NUMBERS[name][ARCHITECTURES.indexOf(architecture)];
}

/** Kernel surface for administrators, debuggers and other people's processes: "not permitted". */
export const FORBIDDEN: readonly CallName[] = [
  ...(['mount', 'umount2', 'pivot_root', 'chroot', 'mount_setattr', 'move_mount', 'open_tree'] as const),
  ...(['fsopen', 'fsconfig', 'fsmount', 'fspick', 'unshare', 'setns'] as const),
  ...(['open_by_handle_at', 'name_to_handle_at', 'fanotify_init', 'quotactl', 'quotactl_fd'] as const),
  ...(['ptrace', 'process_vm_readv', 'process_vm_writev', 'process_madvise', 'pidfd_getfd', 'kcmp'] as const),
  ...(['io_uring_setup', 'io_uring_enter', 'io_uring_register'] as const),
  ...(['keyctl', 'add_key', 'request_key', 'bpf', 'perf_event_open', 'userfaultfd', 'lookup_dcookie'] as const),
  ...(['init_module', 'finit_module', 'delete_module', 'kexec_load', 'kexec_file_load', 'reboot'] as const),
  ...(['swapon', 'swapoff', 'acct', 'syslog', 'vhangup', 'nfsservctl', 'sethostname', 'setdomainname'] as const),
  ...(['settimeofday', 'clock_settime', 'clock_adjtime', 'adjtimex'] as const),
  ...(['iopl', 'ioperm', 'modify_ldt', 'personality', 'migrate_pages', 'move_pages'] as const),
  // Kernel memory that belongs to no process: it is counted by no limit and stays when its maker ends.
  ...(['semget', 'msgget', 'shmget'] as const),
];

/** Memory that no limit counts; programs fall back when the kernel seems not to have these. */
export const UNCOUNTED_MEMORY: readonly CallName[] = ['memfd_create', 'memfd_secret'];

/** What Landlock does not cover: owners, modes, times and attributes of any file the user owns. */
export const METADATA: readonly CallName[] = [
  ...(['chmod', 'fchmod', 'fchmodat', 'fchmodat2', 'chown', 'fchown', 'lchown', 'fchownat'] as const),
  ...(['utime', 'utimes', 'futimesat', 'utimensat'] as const),
  ...(['setxattr', 'lsetxattr', 'fsetxattr', 'removexattr', 'lremovexattr', 'fremovexattr'] as const),
];

/** Shared memory, queues and semaphores of the user's other programs, where there is no namespace between. */
export const SHARED_OBJECTS: readonly CallName[] = [
  ...(['shmat', 'shmctl', 'msgsnd', 'msgrcv', 'msgctl'] as const),
  ...(['semop', 'semtimedop', 'semctl', 'mq_open', 'mq_unlink'] as const),
];

/** Calls that name a process by an argument: allowed on oneself (zero) only. The value is that argument's place. */
export const ON_ONESELF: readonly (readonly [CallName, number])[] = [
  ['prlimit64', 0],
  ['sched_setaffinity', 0],
  ['sched_setattr', 0],
  ['sched_setparam', 0],
  ['sched_setscheduler', 0],
  ['setpriority', 1],
  ['ioprio_set', 1],
];

/** Requests of `ioctl` and `fcntl` that are told apart by their number alone. */
export const REQUESTS = {
  /** Typing into a terminal, as if its user did. */
  terminalInput: [0x5412, 0x541c],
  /** Interfaces, addresses and routes of the network a socket was made in: every number of this page. */
  interfaces: 0x8900,
  /** A lease on a file makes whoever opens it wait. */
  setLease: 1024,
  /** The letter each file system marks its own requests with: ext4, generations, XFS, FAT, F2FS, btrfs, Ceph, CIFS, OCFS2. */
  fileSystems: [0x66, 0x76, 0x58, 0x72, 0xf5, 0x94, 0x97, 0xcf, 0x6f],
  /** Of these, what only looks, or shares blocks with a file that is open for writing. */
  harmlessOfFileSystems: [
    ...[0x80086601, 0x80046601, 0x80087601, 0x801c581f, 0xc020660b],
    ...[0x40049409, 0x4020940d, 0xc0189436],
  ],
} as const;
