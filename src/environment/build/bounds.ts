// How large packages may be, and how long their installation may take.
import { Fault } from '../../base/errors.ts';
import { formatSize } from '../../process/limits.ts';

export interface BuildBounds {
  readonly maxBytes: number;
  readonly maxFiles: number;
  readonly buildSeconds: number;
}

export function tooLarge({ maxBytes, maxFiles }: BuildBounds): Fault {
  const most = `${formatSize(maxBytes)}, ${maxFiles}`;
  return new Fault(
    'PackageRefused',
    { en: `the packages take up more than ${most} files`, zh: `软件包超过 ${most} 个文件的上限` },
    {
      hint: {
        en: 'Nothing was built. Raise environment.max_mib or environment.max_files in your own settings if they are meant to be that large.',
        zh: '未构建任何内容。若确需如此大的软件包，请在用户配置中提高 environment.max_mib 或 environment.max_files。',
      },
    },
  );
}
