// Where a call finds the programs it was let run: in their own folder, or by a link where the file has another name.
import path from 'node:path';
import { Fault } from '../../base/errors.ts';
import { makeFolder, makeLink } from '../../base/files.ts';
import { visible } from '../../base/text.ts';
import type { ProgramReach } from '../../policy/consent/reach.ts';
import { isUsable } from '../../process/program.ts';

/** Folders for the PATH. Throws a Fault for a program that is no longer what a person consented to. */
export function programFolders(programs: readonly ProgramReach[], work: string, project: string): string[] {
  const folders = programs.map(({ name, file }) => {
    if (!isUsable(file, project)) throw notUsable(name, file);
    return path.basename(file) === name ? path.dirname(file) : linkTo(name, file, work);
  });
  return [...new Set(folders)];
}

function linkTo(name: string, file: string, work: string): string {
  const folder = path.join(work, '.programs');
  makeFolder(folder, 0o755);
  makeLink(path.join(folder, name), file);
  return folder;
}

function notUsable(name: string, file: string): Fault {
  const shown = visible(file);
  return new Fault(
    'RuntimeFailed',
    { en: `${shown} is not there any more, or may not be run`, zh: `${shown} 已不存在或不可运行` },
    {
      details: { missing: name },
      hint: {
        en: `A grant lets the skill run it: \`skillwright grants list\` shows which. Install it again, or revoke the grant.`,
        zh: `有授权允许技能运行它: 用 \`skillwright grants list\` 查看。请重新安装，或撤销授权。`,
      },
    },
  );
}
