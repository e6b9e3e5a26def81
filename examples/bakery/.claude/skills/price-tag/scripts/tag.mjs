import { mkdirSync, writeFileSync } from 'node:fs';

const [cake, price] = process.argv.slice(2);
if (!cake || !(Number(price) > 0)) {
  console.error('usage: tag.mjs CAKE PRICE, such as: tag.mjs "Linzer torte" 3.80');
  process.exit(1);
}
const file = `tags/${cake.toLowerCase().replaceAll(/[^a-z]+/g, '-')}.txt`;
const width = Math.max(cake.length, 12);
mkdirSync('tags', { recursive: true });
writeFileSync(file, `${cake}\n${'-'.repeat(width)}\n${Number(price).toFixed(2).padStart(width)}\n`);
console.log(file);
