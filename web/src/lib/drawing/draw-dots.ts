// Tens of thousands of dots at once: written as pixels, because a call for each would be felt.

import type { Scene } from './scene';

/** Dots below this size, in pixels of the page, are written as pixels. */
export const TINY = 3.5;

let sheet: OffscreenCanvas | null = null;

/** Every scheme as a dot of its shade; those beyond the maximum levels more than half transparent. */
export function drawDots(context: CanvasRenderingContext2D, scene: Scene): void {
  const ratio = context.getTransform().a;
  const [width, height] = [Math.round(scene.width * ratio), Math.round(scene.height * ratio)];
  if (sheet?.width !== width || sheet.height !== height) sheet = new OffscreenCanvas(width, height);
  const paper = sheet.getContext('2d')!;
  const image = paper.createImageData(width, height);
  writeDots(new Uint32Array(image.data.buffer), width, height, scene, ratio);
  paper.putImageData(image, 0, 0);
  context.drawImage(sheet, 0, 0, scene.width, scene.height);
}

/** Each dot fills its place up to the next one; gaps this small would only flicker. */
function writeDots(pixels: Uint32Array, width: number, height: number, scene: Scene, ratio: number): void {
  const { layout, zoom, inside, coloured, shade } = scene;
  const colours = scene.palette.shades.map((rgb) => [packed(rgb, 0x74), packed(rgb, 0xff)] as const);
  const half = layout.pitch.x / 2;
  const across = (x: number) => Math.round((x * zoom.k + zoom.x) * ratio);
  const down = (y: number) => Math.round((y * zoom.k + zoom.y) * ratio);
  for (let index = 0; index < scene.space.size; index++) {
    const [x, y] = [layout.x[index]!, layout.y[index]!];
    const [left, right, top, bottom] = [across(x - half), across(x + half), down(y - half), down(y + half)];
    if (left < 0 || top < 0 || right > width || bottom > height) continue;
    const colour = colours[shade(coloured[index]!)]![inside[index] ? 1 : 0];
    for (let line = top; line < bottom; line++) pixels.fill(colour, line * width + left, line * width + right);
  }
}

/** "rgb(1, 2, 3)" and an opacity as the four bytes of a pixel. */
function packed(rgb: string, alpha: number): number {
  const [r = 0, g = 0, b = 0] = (rgb.match(/\d+/g) ?? []).map(Number);
  return ((alpha << 24) | (b << 16) | (g << 8) | r) >>> 0;
}
