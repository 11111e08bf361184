// A table that haggle has never seen.

const TOWNS = ['Ulm', '"Köln, Altstadt"', '  Bonn ', '"say ""hi"""', 'Rom', 'Linz'];

/** Patients with dates as Germans write them, blanks, quotes, umlauts and empty fields. */
export function patients() {
  const lines = ['patient_id;age;"home town";born;disease'];
  for (let i = 0; i < 300; i++) {
    const age = i % 50 === 7 ? '' : 20 + ((i * 7) % 60);
    const born = `${1 + (i % 28)}.${1 + (i % 12)}.${1940 + (i % 60)}`;
    lines.push([`P-${1000 + i}`, age, TOWNS[i % 6], born, ['flu', 'asthma', 'cold'][i % 3]].join(';'));
  }
  return `${lines.join('\r\n')}\r\n`;
}
