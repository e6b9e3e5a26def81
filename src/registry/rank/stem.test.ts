import assert from 'node:assert/strict';
import test from 'node:test';
import { stem } from './stem.ts';

const KNOWN = `
  consigned consign, consignment consign, consistency consist, consistently consist, consolation consol,
  consolatory consolatori, consolidating consolid, consolingly consol, conspicuously conspicu, conspiracy conspiraci,
  conspirators conspir, constancy constanc, knackeries knackeri, knees knee, kneeled kneel, knightly knight,
  knitting knit, knives knive, knockers knocker, drily drili, dryness dryness, drying dri, dumbly dumbl,
  durability durabl, during dure, dutifully duti, dyed dy, ebbing eb, economically econom, edification edif,
  educational educ, effectually effectu, electioneering election, electricity electr, eked eke, hopping hop,
  hoping hope, relational relat, rationalize ration, generate generat, generously generous, communication communic,
  apology apolog, sensibly sensibl, controlling control, agreed agre, feed feed, cries cri, ties tie, gas gas,
  gaps gap, kiwis kiwi, boy boy, says say, rate rate, probate probat, deployment deploy, optimization optim`;

test('stems are those of the published Porter2 vocabulary', () => {
  for (const pair of KNOWN.split(',')) {
    const [word = '', expected] = pair.trim().split(' ');
    assert.equal(stem(word), expected, word);
  }
});

test('exceptional and very short words are kept as the algorithm lists them', () => {
  assert.equal(stem('skies'), 'sky');
  assert.equal(stem('dying'), 'die');
  assert.equal(stem('only'), 'onli');
  assert.equal(stem('news'), 'news');
  assert.equal(stem('succeed'), 'succeed');
  assert.equal(stem('earrings'), 'earring');
  assert.equal(stem('as'), 'as');
});

test('forms of one word share a stem, different words do not', () => {
  assert.equal(new Set(['convert', 'converts', 'converted', 'converting'].map(stem)).size, 1);
  assert.notEqual(stem('universal'), stem('uniform'));
});
