// Answers, relaxations, the pinned scheme and the one under the cursor, with tags that keep apart.

import { boxOf, font, toScreen, type Box, type Scene } from './scene';
import { outline } from './marks';
import { overlap, type Rectangle } from './labels';
import type { Kind } from '../answer/offers';

/** A tag next to a scheme. */
interface Tag {
  index: number;
  text: string;
  kinds: Kind[];
  colour: string;
  on: string;
}

export function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette, pinned } = scene;
  if (scene.hovered !== null) ring(context, scene, scene.hovered, palette.ink, 3, 2);
  for (const mark of scene.marks) ring(context, scene, mark.index, palette.accent, 2, 3);
  if (pinned !== null) ring(context, scene, pinned, palette.ink, 2, 2.5);
  const tags: Tag[] = [
    ...(pinned === null ? [] : [{ index: pinned, text: 'pinned', kinds: [], colour: palette.ink, on: palette.ground }]),
    ...scene.marks.map(({ index, label: text, kinds }) => ({ index, text, kinds, colour: palette.accent, on: palette.onAccent })),
  ];
  const visible = tags.filter(({ index }) => onScreen(scene, index));
  if (scene.edges || boxOf(scene).labelled) besides(context, scene, visible);
  else callouts(context, scene, visible);
}

function onScreen(scene: Scene, index: number): boolean {
  const [x, y] = toScreen(scene, index);
  return x > 0 && y > 0 && x < scene.width && y < scene.height;
}

/** Where points are large, each tag is right next to its scheme. */
function besides(context: CanvasRenderingContext2D, scene: Scene, tags: Tag[]): void {
  const taken: Rectangle[] = [];
  const points = pointsOn(scene);
  for (const tag of tags) {
    const [x, y] = toScreen(scene, tag.index);
    const place = free(scene, x, y, widthOf(context, scene, tag), taken, points);
    taken.push(place);
    leader(context, [x, y], place, tag.colour, boxOf(scene));
    plate(context, scene, tag, place);
  }
}

/** Where points are small, tags stand in a column on the right, so that they hide none that matter. */
function callouts(context: CanvasRenderingContext2D, scene: Scene, tags: Tag[]): void {
  const placed = tags
    .map((tag) => ({ tag, at: toScreen(scene, tag.index) }))
    .sort((a, b) => a.at[1] - b.at[1] || b.at[0] - a.at[0]);
  const high = heightOf(scene);
  const step = high + 4;
  const most = scene.height - placed.length * step;
  let next = 104;
  placed.forEach(({ tag, at: [x, y] }, i) => {
    const width = widthOf(context, scene, tag);
    const top = Math.max(next, Math.min(y - high / 2 - 26, most + i * step));
    next = top + step;
    const place = { x: scene.width - width - 4, y: top, width, height: high };
    for (const [colour, thick] of [[scene.palette.ground, 4], [tag.colour, 1.5]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = thick;
      context.beginPath();
      context.moveTo(x + 5, y);
      context.lineTo(place.x, top + high / 2);
      context.stroke();
    }
    plate(context, scene, tag, place);
  });
}

function ring(context: CanvasRenderingContext2D, scene: Scene, index: number, colour: string, gap: number, width: number): void {
  const [x, y] = toScreen(scene, index);
  const box = boxOf(scene);
  const [w, h] = [Math.max(box.width, 7) + 2 * gap, Math.max(box.height, 7) + 2 * gap];
  context.strokeStyle = colour;
  context.lineWidth = width;
  context.beginPath();
  context.roundRect(x - w / 2, y - h / 2, w, h, box.labelled ? 7 : w / 3);
  context.stroke();
}

/** How high tags are. */
const heightOf = ({ letters }: Scene): number => Math.round(1.8 * letters);

function widthOf(context: CanvasRenderingContext2D, { letters }: Scene, { text, kinds }: Tag): number {
  context.font = font(1.04 * letters, 600);
  return context.measureText(text).width + kinds.length * 15 + 14;
}

function plate(context: CanvasRenderingContext2D, { letters }: Scene, { text, kinds, colour, on }: Tag, place: Rectangle): void {
  context.font = font(1.04 * letters, 600);
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(place.x, place.y, place.width, place.height, 5);
  context.fill();
  context.fillStyle = on;
  kinds.forEach((kind, i) => shape(context, kind, place.x + 13 + i * 15, place.y + place.height / 2));
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(text, place.x + 7 + kinds.length * 15, place.y + place.height / 2 + 0.5);
}

function shape(context: CanvasRenderingContext2D, kind: Kind, x: number, y: number): void {
  context.save();
  context.translate(x, y);
  context.fill(new Path2D(outline(kind, 5)));
  context.restore();
}

/** The points on the screen, as large as they are drawn. */
function pointsOn(scene: Scene): Rectangle[] {
  const { width, height } = boxOf(scene);
  const all = Array.from({ length: scene.space.size }, (_, index) => index);
  return all.filter((index) => onScreen(scene, index)).map((index) => {
    const [x, y] = toScreen(scene, index);
    return { x: x - width / 2, y: y - height / 2, width, height };
  });
}

/** Above, below, left, right, and then further away: the first place that hides the fewest points. */
function free(scene: Scene, x: number, y: number, width: number, taken: Rectangle[], points: Rectangle[]): Rectangle {
  const box = boxOf(scene);
  const high = heightOf(scene);
  const [dx, dy] = [box.width / 2 + 8, box.height / 2 + (box.labelled ? 1 : 6)];
  const spots: [number, number][] = [
    [x - width / 2, y - dy - high],
    [x - width / 2, y + dy],
    [x + dx, y - high / 2],
    [x - dx - width, y - high / 2],
    ...[2.2, 3.4, 4.6].flatMap((far): [number, number][] => [
      [x - width / 2, y - dy - far * high],
      [x - width / 2, y + dy + (far - 1) * high],
    ]),
  ];
  const all = spots.map(([left, top]) => within(scene, { x: left, y: top, width, height: high }));
  const apart = all.filter((spot) => !taken.some((other) => near(spot, other)));
  const hidden = (spot: Rectangle) => points.filter((point) => overlap(spot, point)).length;
  const candidates = (apart.length ? apart : all.slice(0, 1)).map((spot) => ({ spot, hides: hidden(spot) }));
  const least = Math.min(...candidates.map(({ hides }) => hides));
  return candidates.find(({ hides }) => hides === least)!.spot;
}

/** Kept on the canvas as long as its scheme is. */
function within(scene: Scene, spot: Rectangle): Rectangle {
  return {
    ...spot,
    x: Math.max(2, Math.min(spot.x, scene.width - spot.width - 2)),
    y: Math.max(2, Math.min(spot.y, scene.height - spot.height - 2)),
  };
}

/** Whether two tags would touch. */
const near = (a: Rectangle, b: Rectangle) =>
  overlap({ ...a, width: a.width + 3, height: a.height + 2 }, b) || overlap(a, { ...b, width: b.width + 3, height: b.height + 2 });

/** A line to a tag that stands off. */
function leader(context: CanvasRenderingContext2D, [x, y]: [number, number], place: Rectangle, colour: string, box: Box): void {
  const reach = box.height / 2 + 2;
  const below = place.y > y;
  const [from, to] = below ? [y + reach, place.y] : [y - reach, place.y + place.height];
  if (Math.abs(to - from) < 3 || (below ? to < from : to > from)) return;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(Math.max(place.x + 4, Math.min(x, place.x + place.width - 4)), to);
  context.stroke();
}
