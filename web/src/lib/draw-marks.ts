// Answers, relaxations, the pinned scheme and the one under the cursor, with tags that keep apart.

import { boxOf, FONT, toScreen, type Scene } from './draw';
import { outline } from './marks';

interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

export function drawMarks(context: CanvasRenderingContext2D, scene: Scene): void {
  const taken: Rectangle[] = [];
  if (scene.hovered !== null) ring(context, scene, scene.hovered, scene.palette.ink, 3, 2);
  for (const mark of scene.marks) ring(context, scene, mark.index, scene.palette.accent, 2, 3);
  if (scene.pinned !== null) {
    ring(context, scene, scene.pinned, scene.palette.ink, 2, 2.5);
    taken.push(tag(context, scene, scene.pinned, 'pinned', [], taken, scene.palette.ink));
  }
  for (const mark of scene.marks) {
    taken.push(tag(context, scene, mark.index, mark.label, mark.kinds, taken, scene.palette.accent));
  }
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

/** A tag beside a scheme, at the first place where it covers no other tag. */
function tag(
  context: CanvasRenderingContext2D,
  scene: Scene,
  index: number,
  text: string,
  kinds: Parameters<typeof outline>[0][],
  taken: Rectangle[],
  colour: string,
): Rectangle {
  context.font = `600 11.5px ${FONT}`;
  const shapes = kinds.length * 15;
  const width = context.measureText(text).width + shapes + 14;
  const [x, y] = toScreen(scene, index);
  const place = free(scene, x, y, width, taken);
  leader(context, x, y, place, colour, boxOf(scene));
  context.fillStyle = colour;
  context.beginPath();
  context.roundRect(place.x, place.y, width, HEIGHT, 5);
  context.fill();
  context.fillStyle = colour === scene.palette.accent ? scene.palette.onAccent : scene.palette.ground;
  kinds.forEach((kind, i) => shape(context, kind, place.x + 13 + i * 15, place.y + HEIGHT / 2));
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  context.fillText(text, place.x + 7 + shapes, place.y + HEIGHT / 2 + 0.5);
  return place;
}

function shape(context: CanvasRenderingContext2D, kind: Parameters<typeof outline>[0], x: number, y: number): void {
  context.save();
  context.translate(x, y);
  context.fill(new Path2D(outline(kind, 5)));
  context.restore();
}

/** Above, below, left, right, and then further away. */
function free(scene: Scene, x: number, y: number, width: number, taken: Rectangle[]): Rectangle {
  const box = boxOf(scene);
  const [dx, dy] = [box.width / 2 + 8, Math.max(box.height, 7) / 2 + (box.labelled ? 1 : 12)];
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
function leader(context: CanvasRenderingContext2D, x: number, y: number, place: Rectangle, colour: string, box: { height: number }): void {
  const reach = Math.max(box.height, 7) / 2 + 2;
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
