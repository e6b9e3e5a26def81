// The agentskills.io format, field by field, beyond what the lenient reading already says.
import { isRecord } from '../../base/json.ts';
import { visible } from '../../base/text.ts';
import { KNOWN_FIELDS, SPEC_FIELDS } from '../field.ts';
import { type Findings, report } from '../finding.ts';
import { DESCRIPTION_LIMIT } from '../manifest.ts';
import type { Values } from '../read/simple-yaml.ts';

const COMPATIBILITY_LIMIT = 500;

export function lintSpec(values: Values, findings: Findings): void {
  const { description, license, compatibility, metadata, 'allowed-tools': tools } = values;
  const complain = (code: string, key: string, message: string) => report(findings, 'error', code, message, { key });
  for (const key of Object.keys(values)) {
    if (SPEC_FIELDS.has(key)) continue;
    // Moved elsewhere, a field of ours would no longer do anything.
    const advice = KNOWN_FIELDS.has(key)
      ? 'keep it for Skillwright, or leave it out of what you publish'
      : 'move it into metadata';
    complain('spec-field', key, `agentskills.io has no field ${visible(key)}; ${advice}.`);
  }
  if (typeof description === 'string' && description.trim() !== '' && !isTextUpTo(description, DESCRIPTION_LIMIT)) {
    complain('spec-description', 'description', `Shorten the description to ${DESCRIPTION_LIMIT} characters.`);
  }
  if (license !== undefined && typeof license !== 'string')
    complain('spec-license', 'license', 'Write license as text.');
  if (compatibility !== undefined && !isTextUpTo(compatibility, COMPATIBILITY_LIMIT)) {
    complain(
      'spec-compatibility',
      'compatibility',
      `Write compatibility as text of 1 to ${COMPATIBILITY_LIMIT} characters.`,
    );
  }
  if (metadata !== undefined && !isTextMap(metadata)) {
    complain('spec-metadata', 'metadata', 'Write metadata as a map of texts; put numbers in quotes.');
  }
  if (tools !== undefined && typeof tools !== 'string') {
    complain('spec-allowed-tools', 'allowed-tools', 'Write allowed-tools as one text with spaces between the tools.');
  }
}

function isTextUpTo(value: unknown, limit: number): boolean {
  return typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= limit;
}

function isTextMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((part) => typeof part === 'string');
}
