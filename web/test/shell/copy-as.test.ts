import { describe, expect, test } from 'vitest';
import { commandLine, curl, privacyText, word, type State } from '../../src/lib/shell/copy-as';

const state: State = {
  tab: 'negotiate',
  project: "/tmp/my clinic's/haggle.toml",
  origin: 'http://127.0.0.1:4000',
  ask: { qi: ['age', 'marital status'], privacy: [{ model: 'k-anonymity', k: 10 }], levels: [2, 1], max_suppressed: '1%', relax_height: 'lowest', optimize: 'lm:age=2' },
  scheme: [1, 0],
  measure: 'lm',
  risk: { threshold: 0.2, fraction: null, prior: 'marginal' },
};

describe('words of a shell', () => {
  test('are quoted only where they must be', () => {
    expect(word('age=2,race')).toBe('age=2,race');
    expect(word('a b')).toBe("'a b'");
    expect(word("it's")).toBe("'it'\\''s'");
    expect(word('$HOME')).toBe("'$HOME'");
    expect(word('')).toBe("''");
  });
});

test('models are written with all they were asked with', () => {
  expect(privacyText({ model: 'recursive-l-diversity', l: 3, c: 2, on: 'disease', x: undefined })).toBe('recursive-l-diversity:l=3,c=2,on=disease');
});

test('each tab has its command', () => {
  const project = "'/tmp/my clinic'\\''s/haggle.toml'";
  const qi = "--qi 'age,marital status'";
  expect(commandLine(state)).toBe(`haggle ask ${project} ${qi} --privacy k-anonymity:k=10 --only --max-suppressed 1% --levels 2,1 --relax-height lowest --optimize lm:age=2`);
  expect(commandLine({ ...state, tab: 'explore' })).toBe(`haggle why ${project} ${qi} --privacy k-anonymity:k=10 --only --scheme 1,0 --loss lm`);
  expect(commandLine({ ...state, tab: 'publish' })).toBe(`haggle publish ${project} ${qi} --privacy k-anonymity:k=10 --only --scheme 1,0 -o published.csv`);
  expect(commandLine({ ...state, tab: 'publish', scheme: null })).toContain('--max-suppressed 1% --levels 2,1 --optimize lm:age=2 -o published.csv');
  expect(commandLine({ ...state, tab: 'data' })).toBe(`haggle check ${project}`);
});

test('a curl call has the token as a variable, and never the token', () => {
  const text = curl({ ...state, tab: 'trade-offs' });
  expect(text).toMatch(/^curl -s -H "Authorization: Bearer \$HAGGLE_TOKEN" -H 'Content-Type: application\/json' -d '\{/);
  expect(text).toMatch(/ http:\/\/127\.0\.0\.1:4000\/api\/pareto$/);
  expect(curl({ ...state, tab: 'data' })).toBe('curl -s -H "Authorization: Bearer $HAGGLE_TOKEN" http://127.0.0.1:4000/api/data');
});
