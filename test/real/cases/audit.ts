// Cases from the zeroize-audit skill of trailofbits/skills: a chain of analysers in Python and Bash over sources and listings.
import { json, lines, type RealCase } from '../../support/real/case.ts';

const ZEROIZE = 'trailofbits+skills/plugins/zeroize-audit/skills/zeroize-audit';
const OBJECTS = 'source-analysis/sensitive-objects.json';
const PLAN = '.agent/skills/zeroize-audit/configs/default.yaml';

const SOURCE = lines(
  '#include <stdlib.h>',
  '#include <string.h>',
  'struct session { unsigned char key[32]; };',
  'int use_key(struct session secret_session) {',
  '  unsigned char secret_key[32];',
  '  char *password = malloc(64);',
  '  memcpy(secret_key, secret_session.key, 32);',
  '  if (!password) return -1;',
  '  for (int i = 0; i < 32; i++) secret_key[i] ^= 0x5a;',
  '  if (secret_key[0] == 7) { free(password); return 1; }',
  '  memset(secret_key, 0, sizeof secret_key);',
  '  free(password);',
  '  return 0;',
  '}',
);

const LISTING = (wiped: boolean) =>
  lines(
    "; ModuleID = 'key.c'",
    'source_filename = "key.c"',
    'define i32 @use_key(ptr %0) {',
    'entry:',
    '  %secret_key = alloca [32 x i8], align 16',
    ...(wiped ? ['  call void @llvm.memset.p0.i64(ptr %secret_key, i8 0, i64 32, i1 true)'] : []),
    '  ret i32 0',
    '}',
  );

const ASSEMBLY = lines(
  '\t.text',
  'use_key:',
  '\tpushq\t%rbx',
  '\tsubq\t$64, %rsp',
  '\tmovq\t%rdi, -8(%rbp)',
  '\tmovdqa\t%xmm0, -32(%rsp)',
  '\taddq\t$64, %rsp',
  '\tretq',
);

const MIR = (wiped: boolean) =>
  lines(
    'fn use_key(_1: SecretKey) -> () {',
    '    debug key => _1;',
    '    let mut _2: [u8; 32];',
    '    bb0: {',
    '        StorageLive(_2);',
    '        _2 = move (_1.0: [u8; 32]);',
    ...(wiped ? ['        _3 = zeroize::Zeroize::zeroize(move _2) -> bb1;'] : []),
    '        drop(_1) -> bb1;',
    '    }',
    '    bb1: { return; }',
    '}',
  );

const DATABASE = json([
  {
    directory: '.',
    command: 'cc -Iinclude -DKEY="a b" -O2 -Wall -c key.c -o key.o',
    file: 'key.c',
  },
]);

const SECRETS = json([{ id: 'SO-0001', name: 'SecretKey', language: 'rust', file: 'src/lib.rs', line: 3 }]);

const FINDINGS = json({
  summary: { issues_found: 0 },
  findings: [
    {
      id: 'ZA-0001',
      category: 'STACK_RETENTION',
      severity: 'high',
      confidence: 'confirmed',
      location: { file: 'key.c', line: 5, function: 'use_key' },
      object: { name: 'secret_key', type: 'unsigned char[32]', size_bytes: 32 },
      evidence: 'seen in the listing',
    },
    {
      id: 'ZA-0002',
      category: 'MISSING_SOURCE_ZEROIZE',
      severity: 'medium',
      confidence: 'likely',
      location: { file: 'key.c', line: 6, function: 'use_key' },
      object: { name: 'password', type: 'char *', size_bytes: 64 },
      evidence: '',
    },
  ],
});

const EVIDENCE = json([
  {
    tool: 'find_references',
    query: 'use_key',
    items: [
      { file: 'key.c', line: '4' },
      { uri: 'main.c', detail: 'call' },
    ],
  },
]);

/** Sets of Python have no order, and work is done in folders of random names. */
const RANDOM = [/"node_\d+"/g, /\/za-\w+-\w+\//g, /\t\d{4}-\d\d-\d\d [\d:.]+ \+0000/g, /_rust_mir_0_\d+/g];

/** One tool with one source; most of them are started like that. */
function one(
  script: string,
  args: readonly string[],
  files: RealCase['files'],
  more: readonly string[] = [],
): RealCase {
  const name = `trailofbits zeroize-audit ${script.split('/').at(-1)}: ${args.join(' ')}`;
  const steps = [{ script, args }, ...more.map((it) => ({ script: it }))];
  return { name, skill: ZEROIZE, files: files ?? {}, steps, varies: RANDOM };
}

const C = { 'key.c': SOURCE };
const LL = { 'O0.ll': LISTING(true), 'O1.ll': LISTING(true), 'O2.ll': LISTING(false) };
const RUST = {
  'crate.mir': MIR(false),
  'O0.mir': MIR(true),
  [OBJECTS]: SECRETS,
  'src/lib.rs': lines(
    '#[derive(Clone, Debug)]',
    'pub struct SecretKey([u8; 32]);',
    'pub fn leak(k: SecretKey) { std::mem::forget(k); let b = Box::new(1); Box::leak(b); }',
  ),
};

export const AUDIT: RealCase[] = [
  one('tools/analyze_cfg.py', ['--src', 'key.c', '--out', 'out/cfg.json'], C),
  one('tools/analyze_cfg.py', ['--src', 'key.c', '--out', 'cfg.json'], C),
  one('tools/analyze_ir_semantic.py', ['--ir', 'O2.ll', '--out', 'ir.json'], LL),
  one('tools/analyze_ir_semantic.py', ['--ir', 'O0.ll', '--config', PLAN, '--out', 'ir.json'], LL),
  one('tools/analyze_heap.sh', ['--src', 'key.c', '--out', 'out/heap.json'], C),
  one('tools/analyze_heap.sh', ['--src', 'key.c', '--config', PLAN, '--out', 'heap.json'], C),
  one('tools/track_dataflow.sh', ['--src', 'key.c', '--config', PLAN, '--out', 'flow.json'], C),
  one('tools/analyze_asm.sh', ['--asm', 'key.s', '--symbol', 'use_key', '--out', 'asm/use.json'], {
    'key.s': ASSEMBLY,
  }),
  one('tools/analyze_asm.sh', ['--asm', 'gone.s', '--out', 'asm.json'], {}),
  one('tools/diff_ir.sh', ['O0.ll', 'O2.ll'], LL),
  one('tools/diff_ir.sh', ['O0.ll', 'O1.ll', 'O2.ll'], LL, ['tools/diff_ir.sh']),
  one('tools/diff_rust_mir.sh', ['O0.mir', 'crate.mir'], RUST),
  one('tools/extract_compile_flags.py', ['--compile-db', 'compile_commands.json', '--src', 'key.c'], {
    ...C,
    'compile_commands.json': DATABASE,
  }),
  one(
    'tools/extract_compile_flags.py',
    ['--compile-db', 'compile_commands.json', '--src', 'other.c', '--format', 'json'],
    { 'compile_commands.json': DATABASE },
  ),
  one(
    'tools/scripts/check_llvm_patterns.py',
    ['--o0', 'O0.ll', '--o1', 'O1.ll', '--o2', 'O2.ll', '--out', 'f.json'],
    LL,
  ),
  one('tools/scripts/check_mir_patterns.py', ['--mir', 'crate.mir', '--secrets', OBJECTS, '--out', 'm.json'], RUST),
  one('tools/scripts/check_rust_asm.py', ['--asm', 'key.s', '--secrets', OBJECTS, '--out', 'out/a.json'], {
    'key.s': ASSEMBLY,
    [OBJECTS]: SECRETS,
  }),
  one('tools/scripts/find_dangerous_apis.py', ['--src', 'src', '--out', 'apis.json'], RUST),
  one('tools/scripts/semantic_audit.py', ['--rustdoc', 'doc.json', '--out', 'sem.json'], {
    'doc.json': json({ index: {}, paths: {} }),
  }),
  one('tools/emit_asm.sh', ['--cc', 'gcc', '--src', 'key.c', '--out', 'out/key.s', '--opt', 'O1', '--', '-DX=1'], C),
  one('tools/emit_ir.sh', ['--src', 'key.c', '--out', 'key.ll', '--opt', 'O2'], C),
  one('tools/scripts/find_dangerous_apis.py', ['--src', '.', '--out', 'apis.json'], RUST),
  one('tools/emit_rust_mir.sh', ['--manifest', 'Cargo.toml', '--out', 'mir/'], {
    'Cargo.toml': '[package]\nname="a"\n',
  }),
  one('tools/validate_rust_toolchain.sh', ['--json'], {}),
  one('tools/mcp/check_mcp.sh', ['--compile-db', 'compile_commands.json'], { 'compile_commands.json': DATABASE }),
  {
    name: 'trailofbits zeroize-audit: evidence from stdin, gates over findings in place, programs made of them',
    skill: ZEROIZE,
    files: { ...C, 'findings.json': FINDINGS, 'compile_commands.json': DATABASE },
    steps: [
      {
        script: 'tools/mcp/normalize_mcp_evidence.py',
        args: ['--out', 'run/mcp-evidence/symbols.json'],
        input: EVIDENCE,
      },
      {
        script: 'tools/mcp/apply_confidence_gates.py',
        args: ['--input', 'findings.json', '--out', 'findings.json', '--require-mcp-for-advanced'],
      },
      {
        script: 'tools/generate_poc.py',
        args: [
          '--findings',
          'findings.json',
          '--compile-db',
          'compile_commands.json',
          '--out',
          'pocs',
          '--config',
          PLAN,
        ],
      },
    ],
  },
];
