// Answers, relaxations, the pinned scheme and the one under the cursor, with tags that keep apart.

import { boxOf, font, toScreen, type Box, type Scene } from './scene';
import { outline } from './marks';
import type { Kind } from './offers';

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

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
  for (const tag of tags) {
    const [x, y] = toScreen(scene, tag.index);
    const place = free(scene, x, y, widthOf(context, tag), taken);
    taken.push(place);
    leader(context, [x, y], place, tag.colour, boxOf(scene));
    plate(context, tag, place);
  }
}

/** Where points are small, tags stand in a column on the right, so that they hide none that matter. */
function callouts(context: CanvasRenderingContext2D, scene: Scene, tags: Tag[]): void {
  const placed = tags
    .map((tag) => ({ tag, at: toScreen(scene, tag.index) }))
    .sort((a, b) => a.at[1] - b.at[1] || b.at[0] - a.at[0]);
  const step = HEIGHT + 4;
  const most = scene.height - placed.length * step;
  let next = 104;
  placed.forEach(({ tag, at: [x, y] }, i) => {
    const width = widthOf(context, tag);
    const top = Math.max(next, Math.min(y - HEIGHT / 2 - 26, most + i * step));
    next = top + step;
    const place = { x: scene.width - width - 4, y: top, width, height: HEIGHT };
    for (const [colour, thick] of [[scene.palette.ground, 4], [tag.colour, 1.5]] as const) {
      context.strokeStyle = colour;
      context.lineWidth = thick;
      context.beginPath();
      context.moveTo(x + 5, y);
      context.lineTo(place.x, top + HEIGHT / 2);
      context.stroke();
    }
    plate(context, tag, place);
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

const HEIGHT = 20;

function widthOf(context: CanvasRenderingContext2D, { text, kinds }: Tag): number {
  context.font = font(11.5, 600);
  return context.measureText(text).width + kinds.length * 15 + 14;
}

function plate(context: CanvasRenderingContext2D, { text, kinds, colour, on }: Tag, place: Rectangle): void {
  context.font = font(11.5, 600);
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(place.x, place.y, place.width, HEIGHT, 5);
  context.fill();
  context.fillStyle = on;
  kinds.forEach((kind, i) => shape(context, kind, place.x + 13 + i * 15, place.y + HEIGHT / 2));
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(text, place.x + 7 + kinds.length * 15, place.y + HEIGHT / 2 + 0.5);
}

function shape(context: CanvasRenderingContext2D, kind: Kind, x: number, y: number): void {
  context.save();
  context.translate(x, y);
  context.fill(new Path2D(outline(kind, 5)));
  context.restore();
}

/** Above, below, left, right, and then further away. */
function free(scene: Scene, x: number, y: number, width: number, taken: Rectangle[]): Rectangle {
  const box = boxOf(scene);
  const [dx, dy] = [box.width / 2 + 8, box.height / 2 + (box.labelled ? 1 : 6)];
  const spots: [number, number][] = [
    [x - width / 2, y - dy - HEIGHT],
    [x - width / 2, y + dy],
    [x + dx, y - HEIGHT / 2],
    [x - dx - width, y - HEIGHT / 2],
    ...[2.2, 3.4, 4.6].flatMap((far): [number, number][] => [
      [x - width / 2, y - dy - far * HEIGHT],
      [x - width / 2, y + dy + (far - 1) * HEIGHT],
    ]),
  ];
  const candidates = spots.map(([left, top]) => within(scene, { x: left, y: top, width, height: HEIGHT }));
  return candidates.find((spot) => !taken.some((other) => overlap(spot, other))) ?? candidates[0]!;
}

/** Kept on the canvas as long as its scheme is. */
function within(scene: Scene, spot: Rectangle): Rectangle {
  return {
    ...spot,
    x: Math.max(2, Math.min(spot.x, scene.width - spot.width - 2)),
    y: Math.max(2, Math.min(spot.y, scene.height - HEIGHT - 2)),
  };
}

const overlap = (a: Rectangle, b: Rectangle) =>
  a.x < b.x + b.width + 3 && b.x < a.x + a.width + 3 && a.y < b.y + b.height + 2 && b.y < a.y + a.height + 2;

/** A line to a tag that stands off. */
function leader(context: CanvasRenderingContext2D, [x, y]: [number, number], place: Rectangle, colour: string, box: Box): void {
  const reach = box.height / 2 + 2;
  const below = place.y > y;
  const [from, to] = below ? [y + reach, place.y] : [y - reach, place.y + HEIGHT];
  if (Math.abs(to - from) < 3 || (below ? to < from : to > from)) return;
  context.strokeStyle = colour;
  context.lineWidth = 1.5;
  context.beginPath();
  context.moveTo(x, from);
  context.lineTo(Math.max(place.x + 4, Math.min(x, place.x + place.width - 4)), to);
  context.stroke();
}
