// The lattice on a canvas: edges and the part under the maximum levels below, points above, marks on top.

import { drawDots, TINY } from './draw-dots';
import { drawMarks } from './draw-marks';
import { drawPart } from './draw-part';
import { boxOf, font, toScreen, type Box, type Scene } from './scene';
import { count } from '../text/words';

export function draw(context: CanvasRenderingContext2D, scene: Scene): void {
  context.clearRect(0, 0, scene.width, scene.height);
  drawAxis(context, scene);
  drawPart(context, scene);
  if (scene.edges) drawEdges(context, scene);
  drawPoints(context, scene);
  drawMarks(context, scene);
}

/** The heights along the left side, each as far as it does not crowd the last. */
function drawAxis(context: CanvasRenderingContext2D, { layout, palette, zoom, height, letters }: Scene): void {
  context.font = font(letters);
  context.textAlign = 'left';
  context.textBaseline = 'middle';
  let last = Infinity;
  layout.bands.forEach((band, row) => {
    const y = band.y * zoom.k + zoom.y;
    if (last - y < 1.2 * letters || y < 8 || y > height - 8) return;
    last = y;
    context.fillStyle = palette.muted;
    context.fillText(String(row), 6, y);
  });
}

function drawEdges(context: CanvasRenderingContext2D, scene: Scene): void {
  const { space, inside, palette } = scene;
  const both = [new Path2D(), new Path2D()] as const;
  for (let index = 0; index < space.size; index++) {
    const [x, y] = toScreen(scene, index);
    for (const above of space.above(index)) {
      const [ax, ay] = toScreen(scene, above);
      const path = both[inside[index] && inside[above] ? 1 : 0];
      path.moveTo(x, y);
      path.lineTo(ax, ay);
    }
  }
  context.lineWidth = 1;
  context.strokeStyle = palette.line;
  context.globalAlpha = 0.6;
  context.stroke(both[0]);
  context.globalAlpha = 1;
  context.strokeStyle = palette.accent;
  context.globalAlpha = 0.45;
  context.stroke(both[1]);
  context.globalAlpha = 1;
}

/** Shade by shade, because changing the colour costs more than a point. */
function drawPoints(context: CanvasRenderingContext2D, scene: Scene): void {
  const box = boxOf(scene);
  const { palette } = scene;
  if (box.width < TINY) return drawDots(context, scene);
  byShade(scene, box).forEach((indices, i) => {
    if (!indices.length) return;
    const [shade, inside] = [i >> 1, i % 2 === 1];
    context.globalAlpha = inside ? 1 : scene.edges ? 0.55 : 0.5;
    context.fillStyle = palette.shades[shade]!;
    if (box.width < 7) fillDots(context, scene, indices, box.width);
    else for (const index of indices) fillBox(context, scene, index, box);
    context.globalAlpha = 1;
    if (box.labelled) for (const index of indices) label(context, scene, index, palette.inks[shade]!, box, !inside);
  });
}

/** The schemes on the screen, by shade and by whether they lie inside. */
function byShade(scene: Scene, box: Box): number[][] {
  const { space, layout, zoom, inside, coloured } = scene;
  const found: number[][] = scene.palette.shades.flatMap(() => [[], []]);
  for (let index = 0; index < space.size; index++) {
    const x = layout.x[index]! * zoom.k + zoom.x;
    const y = layout.y[index]! * zoom.k + zoom.y;
    const hidden = x < -box.width || y < -box.height || x > scene.width + box.width || y > scene.height + box.height;
    if (!hidden) found[2 * scene.shade(coloured[index]!) + inside[index]!]!.push(index);
  }
  return found;
}

function fillDots(context: CanvasRenderingContext2D, { layout, zoom }: Scene, indices: number[], side: number): void {
  const { x, y } = layout;
  for (const index of indices) {
    context.fillRect(x[index]! * zoom.k + zoom.x - side / 2, y[index]! * zoom.k + zoom.y - side / 2, side, side);
  }
}

function fillBox(context: CanvasRenderingContext2D, scene: Scene, index: number, box: Box): void {
  const [x, y] = toScreen(scene, index);
  const { width, height } = box;
  context.beginPath();
  context.roundRect(x - width / 2, y - height / 2, width, height, box.labelled ? 5 : width / (scene.edges ? 2 : 4));
  context.fill();
  const meets = scene.inside[index] && scene.suppressed[index]! <= scene.limit;
  context.lineWidth = meets ? 2 : 1;
  context.strokeStyle = meets ? scene.palette.accent : scene.palette.line;
  context.stroke();
}

function label(context: CanvasRenderingContext2D, scene: Scene, index: number, ink: string, { width, height }: Box, faded: boolean): void {
  const [x, y] = toScreen(scene, index);
  // Beyond the maximum levels the shade is mixed with the ground, so the page's own ink is legible.
  context.fillStyle = faded ? scene.palette.muted : ink;
  context.textAlign = 'center';
  context.textBaseline = 'middle';
  context.font = font(0.9 * scene.letters);
  const levels = scene.space.levels(index).join(',');
  // Schemes of many attributes are too long for their box; what is pointed at is written below.
  const fits = context.measureText(levels).width <= width - 4;
  if (fits) context.fillText(levels, x, y - height * 0.21);
  context.font = font(1.04 * scene.letters, 600);
  context.fillText(count(scene.suppressed[index]!), x, y + (fits ? height * 0.21 : 0));
}
