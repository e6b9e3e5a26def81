// Scripted eval cases of three kinds, as suites have them: choosing a skill, using tools, running a skill's script.

type Fields = Readonly<Record<string, unknown>>;

const NAMES = ['csv-insights', 'git-changelog', 'skill-author'];

export function scriptedCases(count: number): Fields[] {
  return Array.from({ length: count }, (_, at) => {
    if (at % 5 === 0) return convertCase(at);
    if (at % 5 === 1) return searchCase(at);
    return chooseCase(at, NAMES[at % NAMES.length] ?? '');
  });
}

function chooseCase(at: number, skill: string): Fields {
  return {
    id: `choose-${at}`,
    input: `request ${at}`,
    expected: { skills: [skill], output: [skill] },
    mock: [select(skill), answer(`took ${skill}`)],
  };
}

function searchCase(at: number): Fields {
  const use = (tool: string, args: Fields) => ({ action: { type: 'use_tool', tool, args } });
  return {
    id: `search-${at}`,
    input: `look for it ${at}`,
    files: { 'a.txt': 'found here\n' },
    expected: { steps: [{ exact: ['read_file', 'grep'] }], output: ['found'] },
    mock: [use('read_file', { path: 'a.txt' }), use('grep', { pattern: 'found' }), answer('found')],
  };
}

function convertCase(at: number): Fields {
  const skill = 'markdown-converter';
  return {
    id: `convert-${at}`,
    input: `convert notes.md ${at}`,
    files: { 'notes.md': `# Notes ${at}\n` },
    expected: {
      skills: [skill],
      steps: ['load_skill', 'run_script'],
      output: [{ file_matches: { path: 'mybox/output/*.html', regex: `Notes ${at}` } }],
    },
    mock: [
      select(skill),
      { action: { type: 'invoke_skill', skill, params: { input: 'notes.md' } } },
      answer('The page is ready.'),
    ],
  };
}

function select(skill: string): Fields {
  return { action: { type: 'select_skills', skills: [skill], reason: 'fits' } };
}

function answer(content: string): Fields {
  return { action: { type: 'final_answer', content } };
}
