// Labels of charts that keep apart: each moves to the nearest free place, within the picture.

export interface Rectangle {
  x: number;
  y: number;
  width: number;
  height: number;
}

const overlap = (a: Rectangle, b: Rectangle) =>
  a.x < b.x + b.width && b.x < a.x + a.width && a.y < b.y + b.height && b.y < a.y + a.height;

/** The rectangle moved so that it lies within the picture. */
const within = (place: Rectangle, picture: Rectangle): Rectangle => ({
  ...place,
  x: Math.max(picture.x, Math.min(place.x, picture.x + picture.width - place.width)),
  y: Math.max(picture.y, Math.min(place.y, picture.y + picture.height - place.height)),
});

/** Where labels go, in the order given: at their own place, else above or below it, as near as possible. */
export function placed(wanted: Rectangle[], picture: Rectangle, taken: Rectangle[] = []): Rectangle[] {
  const all = [...taken];
  return wanted.map((own) => {
    const spots = [0, 1, -1, 2, -2, 3, -3, 4, -4].map((step) => within({ ...own, y: own.y + step * own.height }, picture));
    const place = spots.find((spot) => !all.some((other) => overlap(spot, other))) ?? spots[0]!;
    all.push(place);
    return place;
  });
}

/** About how wide a text is, in letters of this size. */
export const widthOf = (text: string, letters: number): number => 0.58 * letters * text.length;
