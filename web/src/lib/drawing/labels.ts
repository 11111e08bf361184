// Labels of charts that keep apart: each moves to the nearest free place, within the picture.

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

/** A label at its place of choice. */
export interface Label extends Rectangle {
  /** Where it may begin instead: on the other side of what it names. */
  otherX?: number;
}

export const overlap = (a: Rectangle, b: Rectangle) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The rectangle moved so that it lies within the picture. */
const within = (place: Rectangle, picture: Rectangle): Rectangle => ({
  ...place,
  x: Math.max(picture.x, Math.min(place.x, picture.x + picture.width - place.width)),
  y: Math.max(picture.y, Math.min(place.y, picture.y + picture.height - place.height)),
});

/** Where labels go, in the order given: at their own place, else on the other side, above or below, as near as possible. */
export function placed(wanted: Label[], picture: Rectangle, taken: Rectangle[] = []): Rectangle[] {
  const all = [...taken];
  return wanted.map(({ otherX, ...own }) => {
    const sides = otherX === undefined ? [own.x] : [own.x, otherX];
    const steps = [0, 1, -1, 2, -2, 3, -3, 4, -4];
    const spots = steps.flatMap((step) => sides.map((x) => within({ ...own, x, y: own.y + step * own.height }, picture)));
    const place = spots.find((spot) => !all.some((other) => overlap(spot, other))) ?? spots[0]!;
    all.push(place);
    return place;
  });
}

/** The rectangles that a line of steps covers; it turns after it has come to the next point, or before. */
export function steps(points: [x: number, y: number][], turn: 'before' | 'after'): Rectangle[] {
  return points.slice(1).flatMap(([x, y], i) => {
    const [fromX, fromY] = points[i]!;
    const across = { x: Math.min(x, fromX), y: (turn === 'after' ? fromY : y) - 2, width: Math.abs(x - fromX), height: 4 };
    const down = { x: (turn === 'after' ? x : fromX) - 2, y: Math.min(y, fromY), width: 4, height: Math.abs(y - fromY) };
    return [across, down];
  });
}

/** About how wide a text is, in letters of this size. */
export const widthOf = (text: string, letters: number): number => 0.58 * letters * text.length;
