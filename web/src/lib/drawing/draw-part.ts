// The part of the lattice under the maximum levels, as one outlined shape.

import { boxOf, toScreen, type Scene } from './scene';

export function drawPart(context: CanvasRenderingContext2D, scene: Scene): void {
  if (scene.edges) drawWeb(context, scene);
  else drawBands(context, scene);
}

/** Small lattices: a skin around the points and edges of the part. */
function drawWeb(context: CanvasRenderingContext2D, scene: Scene): void {
  const { palette } = scene;
  const path = skeleton(scene);
  const box = boxOf(scene);
  const bones = Math.max(5, box.height * 0.28);
  context.lineJoin = 'round';
  context.lineCap = 'round';
  for (const [extra, colour] of [[3, palette.accent], [0, palette.tint]] as const) {
    context.strokeStyle = colour;
    context.fillStyle = colour;
    context.lineWidth = bones + extra;
    context.stroke(path);
    context.fill(skin(scene, 5 + extra / 2));
  }
}

function skeleton(scene: Scene): Path2D {
  const { space, inside } = scene;
  const path = new Path2D();
  for (let index = 0; index < space.size; index++) {
    if (!inside[index]) continue;
    for (const above of space.above(index)) {
      if (!inside[above]) continue;
      path.moveTo(...toScreen(scene, index));
      path.lineTo(...toScreen(scene, above));
    }
  }
  return path;
}

function skin(scene: Scene, margin: number): Path2D {
  const { width, height } = boxOf(scene);
  const path = new Path2D();
  for (let index = 0; index < scene.space.size; index++) {
    if (!scene.inside[index]) continue;
    const [x, y] = toScreen(scene, index);
    path.roundRect(x - width / 2 - margin, y - height / 2 - margin, width + 2 * margin, height + 2 * margin, 8 + margin);
  }
  return path;
}

/** Large lattices: the part stands in the middle of each row, so its outline is two staircases. */
function drawBands(context: CanvasRenderingContext2D, scene: Scene): void {
  const { layout, palette, zoom } = scene;
  const outline = staircase(scene, layout.part ?? []);
  context.fillStyle = palette.tint;
  context.fill(outline);
  context.strokeStyle = palette.accent;
  context.lineWidth = 1.5;
  context.stroke(outline);
  if (!layout.core) return;
  context.lineWidth = 2.5;
  context.globalAlpha = 0.9;
  for (const [row, half] of layout.core.entries()) {
    if (half === 0) continue;
    const band = layout.bands[row]!;
    const [x, y] = [(layout.width / 2 - half) * zoom.k + zoom.x, (band.y + band.half * 0.86) * zoom.k + zoom.y];
    context.beginPath();
    context.moveTo(x, y);
    context.lineTo(x + 2 * half * zoom.k, y);
    context.stroke();
  }
  context.globalAlpha = 1;
}

function staircase({ layout, zoom }: Scene, halves: number[]): Path2D {
  const path = new Path2D();
  const margin = 3 / zoom.k;
  const rows = halves.flatMap((half, row) => (half > 0 ? [{ half: half + margin, ...span(layout.bands[row]!) }] : []));
  const point = (x: number, y: number) =>
    path.lineTo((layout.width / 2 + x) * zoom.k + zoom.x, y * zoom.k + zoom.y);
  for (const row of rows) {
    point(-row.half, row.bottom);
    point(-row.half, row.top);
  }
  for (const row of rows.reverse()) {
    point(row.half, row.top);
    point(row.half, row.bottom);
  }
  path.closePath();
  return path;
}

const span = ({ y, half }: { y: number; half: number }) => ({ bottom: y + half, top: y - half });
