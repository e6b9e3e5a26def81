// The runs of a project, their sealed heads and their pruned texts, kept under home, where no project can write:
// neither a removed record nor a removed ending goes unnoticed.
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { Fault } from '../base/errors.ts';
import { makeFolder, moveTree, removeTree } from '../base/files.ts';
import { sha256 } from '../base/ids.ts';
import { realPath } from '../base/paths.ts';
import { namesIfThere } from '../base/read-file.ts';
import { visible } from '../base/text.ts';
import { type ProjectMark, readHead, writeHead } from './head.ts';
import { readPruned, writePruned } from './pruned.ts';

export interface RunRegister {
  readonly project: ProjectMark;
  /** The file for the head of a new run. One file each, so that two commands do not conflict. */
  enlist(id: string): string;
  /** The file of a run's head, also of another project: the head itself says whether it belongs here. */
  headOf(id: string): string;
  /** Only as a run of exactly this folder: a copy of a project must not take the heads of the original. */
  strike(id: string): void;
  list(): string[];
  /** Text files whose removal is recorded. */
  pruned(id: string, key: Uint8Array): ReadonlySet<string>;
  /** Takes over the runs of a folder that was moved here; returns which. */
  adopt(from: string, key: Uint8Array): string[];
  recordPruned(id: string, files: readonly string[], key: Uint8Array): void;
}

const NOTE = '.pruned';

export function openRegister(home: string, project: string): RunRegister {
  const register = path.join(home, '.agent', 'run-register');
  const mark = markOf(project);
  const own = path.join(register, mark.path);
  const headOf = (id: string): string => {
    const file = path.join(own, id);
    if (existsSync(file)) return file;
    const elsewhere = namesIfThere(register).map((folder) => path.join(register, folder, id));
    return elsewhere.find((other) => existsSync(other)) ?? file;
  };
  const notesOf = (id: string) => [...new Set([path.join(own, id), headOf(id)])].map((file) => `${file}${NOTE}`);
  return {
    project: mark,
    enlist(id) {
      makeFolder(own);
      return path.join(own, id);
    },
    headOf,
    strike(id) {
      removeTree(path.join(own, id));
      removeTree(path.join(own, `${id}${NOTE}`));
    },
    list: () => namesIfThere(own),
    adopt(from, key) {
      const old = registerOfMoved(register, from);
      makeFolder(own);
      const names = namesIfThere(old);
      for (const name of names) {
        const head = name.endsWith(NOTE) ? undefined : readHead(path.join(old, name), key);
        moveTree(path.join(old, name), path.join(own, name));
        if (typeof head === 'object' && head.project) writeHead(path.join(own, name), { ...head, project: mark }, key);
      }
      return names.filter((name) => !name.endsWith(NOTE));
    },
    pruned: (id, key) => new Set(notesOf(id).flatMap((file) => readPruned(file, id, key))),
    recordPruned(id, files, key) {
      makeFolder(own);
      const note = path.join(own, `${id}${NOTE}`);
      writePruned(note, { run: id, files: [...new Set([...readPruned(note, id, key), ...files])] }, key);
    },
  };
}

/** Where the runs of a folder are registered; a Fault when it still has them, and so was copied, not moved. */
function registerOfMoved(register: string, from: string): string {
  const old = path.join(register, markOf(from).path);
  const ids = namesIfThere(old);
  if (ids.length === 0)
    throw new Fault('DataNotFound', {
      en: `no runs are known of ${visible(from)}`,
      zh: `没有 ${visible(from)} 的运行记录`,
    });
  const there = ids.find((id) => existsSync(path.join(from, '.agent', 'runs', id)));
  if (there === undefined) return old;
  throw new Fault('AlreadyExists', {
    en: `${visible(from)} still has the run ${there}: it was copied, not moved`,
    zh: `${visible(from)} 仍有运行 ${there}: 是复制而非移动`,
  });
}

function markOf(project: string): ProjectMark {
  const stats = statSync(project, { bigint: true, throwIfNoEntry: false });
  const folder = stats && stats.birthtimeNs > 0n ? `${stats.ino}:${stats.birthtimeNs}` : '';
  return { path: sha256(realPath(project) ?? path.resolve(project)), folder };
}
