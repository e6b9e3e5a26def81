// Writes a grant that a person gives, on their own record: by `grants add`, or by "always" at a question.
import type { Grant } from '../../policy/grant/grant.ts';
import { openGrants } from '../../policy/grant/store.ts';
import { grantChange } from '../own/grant-change.ts';
import { recordOwn } from '../own/record.ts';
import type { Runtime } from '../runtime.ts';

/** Throws a Fault when the grant would be a permission for anything. */
export function giveGrant(wanted: Omit<Grant, 'id' | 'project'>, runtime: Runtime): Grant {
  return recordOwn(
    runtime,
    { command: 'grants add', ...grantChange(wanted) },
    () => openGrants(runtime.home, runtime.project).add(wanted),
    ({ id }) => ({ grant: id }),
  );
}
