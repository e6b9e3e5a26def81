// What Python packages a skill's needs come to: asked of pip, which looks at wheels of the index and installs nothing.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { isRecord, jsonIfValid } from '../../base/json.ts';
import { readTextIfThere } from '../../base/read-file.ts';
import { visible } from '../../base/text.ts';
import type { Interpreter } from '../../process/interpreter.ts';
import { pythonMachine } from '../build/machine.ts';
import { refusePackages } from '../build/refusal.ts';
import type { Workshop } from '../build/workshop.ts';
import type { IndexPlace } from '../index-place.ts';
import type { LockEntry, LockedPackage } from '../lock/lock-entry.ts';
import type { NeedSet } from '../need/need-set.ts';
import { runPip } from './pip.ts';

export interface Resolution {
  readonly entry: LockEntry;
  /** The resolver, with its version. */
  readonly by: string;
}

/** Throws a Fault that names what cannot be had without running code, or at all. */
export async function resolvePython(
  needs: NeedSet,
  interpreter: Interpreter,
  index: IndexPlace,
  workshop: Workshop,
): Promise<Resolution> {
  const requirements = needs.wanted.map(checkRequirement);
  const machine = await pythonMachine(interpreter);
  const report = path.join(workshop.folder, 'report.json');
  const words = ['--dry-run', '--report', report, '--no-cache-dir'];
  const { version } = await runPip({ interpreter, machine, index, words, requirements }, workshop);
  const packages = readReport(readTextIfThere(report) ?? '').sort((a, b) => (a.name < b.name ? -1 : 1));
  const { platform, interpreter: kind } = machine;
  const entry: LockEntry = {
    ...{ ecosystem: 'python', needs: needs.digest, wanted: needs.wanted, index: index.url },
    ...{ platform, interpreter: kind, before: null, packages },
  };
  return { entry, by: `pip ${version}`.trim() };
}

const REQUIREMENT = /^[A-Za-z0-9][\w.-]*(?:\[[\w., -]*\])?[\w\s.,<>=!~*+()]*(?:;[\w\s.,<>=!~'"()-]*)?$/;

/** Nothing that pip would take for an option, a file or an address. */
function checkRequirement(written: string): string {
  if (/^[\w.-]+(?:\[[^\]]*\])?\s*@/.test(written) || /:\/\/|^\.{0,2}\//.test(written))
    throw refusePackages('address', [written]);
  if (REQUIREMENT.test(written) && !/\s--/.test(written)) return written;
  throw new Fault('PackageRefused', {
    en: `no requirement: ${visible(written)}`,
    zh: `不是依赖声明: ${visible(written)}`,
  });
}

function readReport(text: string): LockedPackage[] {
  const report = jsonIfValid(text);
  const install = isRecord(report) && Array.isArray(report.install) ? report.install.filter(isRecord) : [];
  if (install.length === 0) throw new Fault('RuntimeFailed', 'pip: no report');
  return install.map((item) => {
    const { metadata, download_info: download } = item;
    const name = isRecord(metadata)
      ? String(metadata.name)
          .toLowerCase()
          .replaceAll(/[-_.]+/g, '-')
      : '';
    const version = isRecord(metadata) ? String(metadata.version) : '';
    if (item.is_direct === true) throw refusePackages('address', [name]);
    if (item.is_yanked === true) throw refusePackages('yanked', [`${name}==${version}`]);
    const archive = isRecord(download) && isRecord(download.archive_info) ? download.archive_info : {};
    const hash =
      isRecord(archive.hashes) && typeof archive.hashes.sha256 === 'string' ? archive.hashes.sha256 : undefined;
    const found = hash ?? /^sha256=([0-9a-f]{64})$/.exec(String(archive.hash))?.[1];
    if (found === undefined) throw refusePackages('unhashed', [name]);
    return { name, version, hashes: [`sha256:${found}`] };
  });
}
