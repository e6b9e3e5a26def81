// The call filter as the kernel reads it: right numbers, right verdicts, on both architectures.
import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { architectureOf } from '../../../src/process/sandbox/host.ts';
import { type Exposure, seccompFilter } from '../../../src/process/sandbox/linux/seccomp.ts';
import {
  ARCHITECTURES,
  type Architecture,
  AUDIT_MARK,
  CALL_NAMES,
  type CallName,
  callNumber,
  FORBIDDEN,
  METADATA,
  NEWEST_REVIEWED,
} from '../../../src/process/sandbox/linux/seccomp-table.ts';
import { missing } from '../../support/world/sandbox-support.ts';

const CLOSED: Exposure = { network: 'none', local: 'none', files: false, processes: false };
const HEADERS: Record<Architecture, readonly string[]> = {
  x86_64: ['/usr/include/x86_64-linux-gnu/asm/unistd_64.h', '/usr/include/asm/unistd_64.h'],
  arm64: ['/usr/include/asm-generic/unistd.h'],
};

for (const architecture of ARCHITECTURES) {
  test(`call numbers of ${architecture} are those of the kernel headers`, (t) => {
    const file = HEADERS[architecture].find((candidate) => existsSync(candidate));
    if (!file) return missing(t, `no kernel headers for ${architecture}`);
    const numbers = readHeader(file);
    const newest = Math.max(...numbers.values());
    let compared = 0;
    for (const name of CALL_NAMES) {
      const ours = callNumber(architecture, name);
      const theirs = numbers.get(name);
      if (theirs === undefined && ours !== undefined) assert.ok(ours >= newest, `${name} is not in ${file}`);
      else assert.equal(ours, theirs, name);
      if (theirs !== undefined) compared++;
    }
    assert.ok(compared > 80, `only ${compared} calls compared`);
  });

  test(`the filter of ${architecture} refuses and allows what it should`, () => {
    const judge = filterOf(architecture, CLOSED);
    for (const name of FORBIDDEN) if (callNumber(architecture, name)) assert.equal(judge(name), 'EPERM', name);
    assert.equal(judge('clone3'), 'ENOSYS');
    assert.equal(judge('memfd_create'), 'ENOSYS');
    assert.equal(judge('clone', 0x11), 'allow');
    assert.equal(judge('clone', 0x003d0f00), 'allow', 'threads');
    for (const bit of [17, 25, 26, 27, 28, 29, 30]) assert.equal(judge('clone', 0x11 | (1 << bit)), 'EPERM', `${bit}`);
    assert.equal(judge('ioctl', 0, 0x5401), 'allow');
    assert.equal(judge('ioctl', 0, 0x5412), 'EPERM');
    assert.equal(judge('ioctl', 0, 0x541c), 'EPERM');
    for (const name of ['semget', 'msgget', 'shmget'] as const) assert.equal(judge(name), 'EPERM', name);
    for (const request of [0x8912, 0x8927, 0x8933]) assert.equal(judge('ioctl', 1, request), 'EPERM', 'interfaces');
    assert.equal(filterOf(architecture, { ...CLOSED, network: 'host' })('ioctl', 1, 0x8912), 'allow');
    assert.equal(judge('fcntl', 3, 1024), 'EPERM', 'leases');
    assert.equal(judge('fcntl', 3, 6), 'allow', 'locks');
    assert.equal(judge('prctl'), 'allow');
    assert.equal(judge('fchmod'), 'allow');
    assert.equal(judge(NEWEST_REVIEWED), 'allow');
    assert.equal(judge(NEWEST_REVIEWED + 1), 'ENOSYS');
  });

  test(`calls of foreign architectures do not exist for the filter of ${architecture}`, () => {
    const filter = seccompFilter(architecture, CLOSED);
    assert.equal(interpret(filter, { mark: 0x40000003, number: 11, values: [] }), 'ENOSYS', '32-bit calls');
    const other = AUDIT_MARK[architecture === 'arm64' ? 'x86_64' : 'arm64'];
    assert.equal(interpret(filter, { mark: other, number: 0, values: [] }), 'ENOSYS');
    assert.equal(
      interpret(filter, { mark: AUDIT_MARK[architecture], number: 0x40000000 + 41, values: [] }),
      'ENOSYS',
      'x32',
    );
  });

  test(`sockets on ${architecture}: none without the network, TCP and UDP only with it`, () => {
    const without = filterOf(architecture, CLOSED);
    for (const family of [1, 2, 10, 16, 17, 40]) assert.equal(without('socket', family, 1, 0), 'EPERM');
    const granted = filterOf(architecture, { ...CLOSED, network: 'host' });
    for (const family of [2, 10]) {
      assert.equal(granted('socket', family, 1, 0), 'allow');
      assert.equal(granted('socket', family, 1 | 0o2000000 | 0o4000, 6), 'allow', 'close-on-exec, non-blocking');
      assert.equal(granted('socket', family, 2, 17), 'allow');
      assert.equal(granted('socket', family, 3, 255), 'EPERM', 'raw');
      assert.equal(granted('socket', family, 5, 132), 'EPERM', 'SCTP');
      assert.equal(granted('socket', family, 6, 0), 'EPERM', 'DCCP');
    }
    for (const family of [0, 1, 16, 17, 38, 40]) assert.equal(granted('socket', family, 1, 0), 'EPERM', `${family}`);
    const listening = filterOf(architecture, { ...CLOSED, local: 'listen' });
    assert.equal(listening('socket', 1, 1 | 0o2000000, 0), 'allow', 'a local stream may be listened on');
    for (const family of [2, 10, 16, 17, 40]) assert.equal(listening('socket', family, 1, 0), 'EPERM', `${family}`);
    for (const type of [2, 3, 5]) assert.equal(listening('socket', 1, type, 0), 'EPERM', 'local, but no stream');
    for (const judge of [without, listening]) assert.equal(judge('connect'), 'EPERM');
    assert.equal(granted('connect'), 'allow');
    for (const judge of [without, granted]) {
      assert.equal(judge('socketpair', 1, 1, 0), 'allow');
      assert.equal(judge('socketpair', 1, 2, 0), 'EPERM', 'a datagram pair reaches any socket by name');
      assert.equal(judge('socketpair', 2, 1, 0), 'EPERM');
    }
  });

  test(`sockets on ${architecture} inside: TCP, UDP, local ones and the list of interfaces, nothing of the kernel's`, () => {
    const inside = filterOf(architecture, { ...CLOSED, network: 'own', local: 'all' });
    assert.equal(inside('connect'), 'allow');
    for (const family of [2, 10]) {
      for (const type of [1, 2]) assert.equal(inside('socket', family, type | 0o2000000, 0), 'allow');
      assert.equal(inside('socket', family, 3, 255), 'EPERM', 'raw');
      assert.equal(inside('socket', family, 2, 1), 'EPERM', 'ICMP');
    }
    for (const call of ['socket', 'socketpair'] as const) {
      for (const type of [1, 2, 5]) assert.equal(inside(call, 1, type, 0), 'allow', 'local');
      assert.equal(inside(call, 1, 3, 0), 'EPERM', 'local, but raw');
    }
    assert.equal(inside('socket', 16, 3, 0), 'allow', 'interfaces');
    for (const protocol of [4, 6, 9, 12, 15, 16]) assert.equal(inside('socket', 16, 3, protocol), 'EPERM', 'netlink');
    for (const family of [0, 3, 17, 31, 38, 40, 44]) assert.equal(inside('socket', family, 1, 0), 'EPERM', `${family}`);
    assert.equal(inside('ioctl', 1, 0x8912), 'EPERM', 'a socket that was handed over is of the host');
    const loopback = filterOf(architecture, { ...CLOSED, network: 'own' });
    assert.equal(loopback('socket', 2, 1, 0), 'allow');
    assert.equal(loopback('socket', 1, 1, 0), 'EPERM', 'a socket of the host may be in view');
    assert.equal(loopback('socketpair', 1, 2, 0), 'EPERM');
  });

  test(`where files or processes are shared, the filter of ${architecture} stands in`, () => {
    const files = filterOf(architecture, { ...CLOSED, files: true });
    for (const name of METADATA) if (callNumber(architecture, name)) assert.equal(files(name), 'ignored', name);
    for (const request of [0x40086602, 0x401c5820, 0x40087602, 0x40806685, 0x800c6613, 0x5000940e])
      assert.equal(files('ioctl', 0, request), 'EPERM', request.toString(16));
    for (const request of [0x80086601, 0x80087601, 0x40049409, 0x5401, 0x541b])
      assert.equal(files('ioctl', 0, request), 'allow', request.toString(16));
    assert.equal(filterOf(architecture, CLOSED)('ioctl', 0, 0x40087602), 'allow');
    const processes = filterOf(architecture, { ...CLOSED, processes: true });
    assert.equal(processes('prlimit64', 0), 'allow');
    assert.equal(processes('prlimit64', 4711), 'EPERM');
    assert.equal(processes('setpriority', 0, 0), 'allow');
    assert.equal(processes('setpriority', 0, 4711), 'EPERM');
    assert.equal(processes('shmat'), 'EPERM');
    assert.equal(filterOf(architecture, CLOSED)('prlimit64', 4711), 'allow');
  });
}

test('an architecture without a table is none', () => {
  assert.equal(architectureOf('x64'), 'x86_64');
  for (const name of ['riscv64', 's390x', 'ia32', 'arm', 'mips']) assert.equal(architectureOf(name), undefined);
});

function readHeader(file: string): Map<string, number> {
  const lines = readFileSync(file, 'utf8').matchAll(/^#define __NR(?:3264)?_(\w+)\s+(\d+)\s*$/gm);
  return new Map(Array.from(lines, ([, name = '', number]) => [name, Number(number)]));
}

function filterOf(architecture: Architecture, exposure: Exposure) {
  const filter = seccompFilter(architecture, exposure);
  return (call: CallName | number, ...values: number[]) => {
    const number = typeof call === 'number' ? call : callNumber(architecture, call);
    assert.ok(number !== undefined, String(call));
    return interpret(filter, { mark: AUDIT_MARK[architecture], number, values });
  };
}

/** The kernel's filter machine, as far as these filters use it. */
function interpret(filter: Uint8Array, call: { mark: number; number: number; values: number[] }): string {
  const bytes = new DataView(filter.buffer, filter.byteOffset, filter.byteLength);
  const record = new DataView(new ArrayBuffer(64));
  record.setUint32(0, call.number, true);
  record.setUint32(4, call.mark, true);
  call.values.forEach((value, index) => {
    record.setUint32(16 + index * 8, value >>> 0, true);
  });
  let register = 0;
  for (let at = 0; at < filter.length; at += 8) {
    const code = bytes.getUint16(at, true);
    const value = bytes.getUint32(at + 4, true);
    if (code === 0x06) return VERDICTS[value] ?? value.toString(16);
    if (code === 0x20) register = record.getUint32(value, true);
    else if (code === 0x54) register = (register & value) >>> 0;
    else at += 8 * bytes.getUint8(at + (holds(code, register, value) ? 2 : 3));
  }
  throw new Error('the filter has no end');
}

const VERDICTS: Record<number, string> = {
  2147418112: 'allow',
  327681: 'EPERM',
  327718: 'ENOSYS',
  327680: 'ignored',
};

function holds(code: number, register: number, value: number): boolean {
  if (code === 0x15) return register === value;
  if (code === 0x35) return register >= value;
  if (code === 0x45) return (register & value) !== 0;
  throw new Error(`unknown instruction ${code.toString(16)}`);
}
