// The agentskills.io format, field by field, beyond what the lenient reading already says.
import { isRecord } from '../../base/json.ts';
import type { Text } from '../../base/language.ts';
import { visible } from '../../base/text.ts';
import { KNOWN_FIELDS, SPEC_FIELDS } from '../field.ts';
import { type Findings, report } from '../finding.ts';
import { DESCRIPTION_LIMIT } from '../manifest.ts';
import type { Values } from '../read/simple-yaml.ts';

const COMPATIBILITY_LIMIT = 500;

export function lintSpec(values: Values, findings: Findings): void {
  const { description, license, compatibility, metadata, 'allowed-tools': tools } = values;
  const complain = (code: string, key: string, message: Text) => report(findings, 'error', code, message, { key });
  for (const key of Object.keys(values)) {
    if (SPEC_FIELDS.has(key)) continue;
    // Moved elsewhere, a field of ours would no longer do anything.
    const advice = KNOWN_FIELDS.has(key)
      ? {
          en: 'keep it for Skillwright, or leave it out of what you publish',
          zh: '可为 Skillwright 保留，或在发布时去掉',
        }
      : { en: 'move it into metadata', zh: '请移入 metadata' };
    const shown = visible(key);
    complain('spec-field', key, {
      en: `agentskills.io has no field ${shown}; ${advice.en}.`,
      zh: `agentskills.io 没有字段 ${shown}；${advice.zh}。`,
    });
  }
  if (typeof description === 'string' && description.trim() !== '' && !isTextUpTo(description, DESCRIPTION_LIMIT)) {
    complain('spec-description', 'description', {
      en: `Shorten the description to ${DESCRIPTION_LIMIT} characters.`,
      zh: `请将描述缩短到 ${DESCRIPTION_LIMIT} 个字符。`,
    });
  }
  if (license !== undefined && typeof license !== 'string')
    complain('spec-license', 'license', { en: 'Write license as text.', zh: 'license 请写成文本。' });
  if (compatibility !== undefined && !isTextUpTo(compatibility, COMPATIBILITY_LIMIT)) {
    complain('spec-compatibility', 'compatibility', {
      en: `Write compatibility as text of 1 to ${COMPATIBILITY_LIMIT} characters.`,
      zh: `compatibility 请写成 1 至 ${COMPATIBILITY_LIMIT} 个字符的文本。`,
    });
  }
  if (metadata !== undefined && !isTextMap(metadata)) {
    complain('spec-metadata', 'metadata', {
      en: 'Write metadata as a map of texts; put numbers in quotes.',
      zh: 'metadata 请写成文本映射；数字请加引号。',
    });
  }
  if (tools !== undefined && typeof tools !== 'string') {
    complain('spec-allowed-tools', 'allowed-tools', {
      en: 'Write allowed-tools as one text with spaces between the tools.',
      zh: 'allowed-tools 请写成一段文本，工具之间用空格分隔。',
    });
  }
}

function isTextUpTo(value: unknown, limit: number): boolean {
  return typeof value === 'string' && value.trim() !== '' && Array.from(value).length <= limit;
}

function isTextMap(value: unknown): boolean {
  return isRecord(value) && Object.values(value).every((part) => typeof part === 'string');
}
