"""Writes letters.txt from Roboto-Regular.ttf (with fontTools): python letters.py Roboto-Regular.ttf > letters.txt"""
import sys

from fontTools.pens.basePen import BasePen
from fontTools.ttLib import TTFont


class Steps(BasePen):
    """The movements of a pen as words: M x y, L x y, Q over-x over-y x y, Z."""

    def __init__(self, glyphs):
        super().__init__(glyphs)
        self.words = []

    def step(self, letter, *points):
        self.words.append(letter)
        self.words += [f"{number:g}" for point in points for number in point]

    def _moveTo(self, point):
        self.step("M", point)

    def _lineTo(self, point):
        self.step("L", point)

    def _qCurveToOne(self, over, point):
        self.step("Q", over, point)

    def _closePath(self):
        self.step("Z")


font = TTFont(sys.argv[1])
glyphs = font.getGlyphSet()
print(font["head"].unitsPerEm)
for code, name in sorted(font.getBestCmap().items()):
    pen = Steps(glyphs)
    glyphs[name].draw(pen)
    print(f"{code:x}", glyphs[name].width, *pen.words)
