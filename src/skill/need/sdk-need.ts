// Hosts and variables that follow from an imported SDK, unless the code says another address or hands over a key.
import type { CodeFacts } from './code-facts.ts';
import type { FoundNeed } from './code-host.ts';
import type { CodeLanguage } from './lex.ts';
import { sdkOf } from './sdk.ts';

const OTHER_ADDRESS = /^(?:base_?url|api_?base|endpoint(?:_url)?|server_?url)$/i;
const KEY_GIVEN = /^(?:api_?key|auth|token|credentials|access_?token|auth_?token|aws_access_key_id|apiToken)$/i;

export function sdkNeeds(facts: CodeFacts, language: CodeLanguage): FoundNeed[] {
  const keys = facts.calls.flatMap((call) => call.keys);
  const hasAddress = keys.some((key) => OTHER_ADDRESS.test(key));
  const hasKey = keys.some((key) => KEY_GIVEN.test(key));
  return facts.imports.flatMap(({ name: module, line }): FoundNeed[] => {
    const sdk = sdkOf(module, language);
    if (!sdk) return [];
    const how = `import ${module}`;
    return [
      ...(hasAddress ? [] : sdk.hosts).map((name): FoundNeed => ({ kind: 'host', name, line, sure: 'implied', how })),
      ...(hasKey ? [] : sdk.variables).map(
        (name): FoundNeed => ({ kind: 'variable', name, line, sure: 'implied', how }),
      ),
    ];
  });
}
