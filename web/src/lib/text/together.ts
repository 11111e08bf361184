/** What a publication and the recorded earlier ones reveal together, in words. */
import type { Differing, Together } from '../server/types';
import { count, counted } from './words';

/** Sentences of a receipt; `warns` says whether a person should look at one. */
export interface Sentence {
  text: string;
  warns: boolean;
}

/** What is found, and what is not judged. Receipts of older versions have fewer fields. */
export function togetherSentences(together: Partial<Together>): Sentence[] {
  return [...joined(together), ...(together.differing ? differing(together.differing) : [])];
}

function joined({ checked = 0, unchecked = 0, unrelated = 0, changed = 0, below = 0, unique = 0, joined_on, over }: Partial<Together>): Sentence[] {
  const sentences: Sentence[] = [];
  const earlier = (n: number) => counted(n, 'earlier publication');
  if (checked > 0) {
    const on = joined_on ? ` on ${joined_on.join(', ')}` : '';
    const columns = over ? ` over ${over.join(', ')}` : '';
    const found = below > 0 ? `${counted(below, 'record')} ${below === 1 ? 'falls' : 'fall'} below the promise (unique: ${count(unique)})` : 'no record falls below the promise';
    sentences.push({ text: `Joined with ${earlier(checked)}${on}: ${found}${columns}.`, warns: below > 0 });
  }
  if (changed > 0) {
    sentences.push({ text: `The data may have changed since ${count(changed)} of them: records that came later count as if they had been published then.`, warns: false });
  }
  if (unchecked > 0) sentences.push({ text: `Not judged: what joining with ${earlier(unchecked)} reveals.`, warns: true });
  if (unrelated > 0) sentences.push({ text: `No column in common with ${earlier(unrelated)}.`, warns: false });
  return sentences;
}

function differing({ compared, not_compared, k, groups, from, over }: Differing): Sentence[] {
  const sentences: Sentence[] = [];
  const earlier = (n: number) => counted(n, 'earlier publication');
  const by = k === 2 ? '1 record' : `1 to ${count(k - 1)} records`;
  if (groups > 0) {
    const differ = groups === 1 ? 'differs' : 'differ';
    const text = `${counted(groups, 'group')} over ${over.join(', ')} ${differ} from ${from ?? 'an earlier publication'} by ${by}, or in sensitive values alone: whoever has both can tell these records from the others.`;
    sentences.push({ text, warns: true });
  } else if (compared > 0) {
    const columns = compared === 1 ? over.join(', ') : 'the quasi-identifiers in common';
    sentences.push({ text: `No group over ${columns} differs from ${earlier(compared)} by ${by}.`, warns: false });
  }
  if (not_compared > 0) {
    sentences.push({ text: `Not judged: where groups of ${earlier(not_compared)} differ from these.`, warns: true });
  }
  return sentences;
}
