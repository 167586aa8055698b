"""scripts/join-pictures, and the picture that the documentation shows: the table and the blurred picture in it are
those of a loop. CLSCAN_SUMMED_AREA names the program that makes both on a device.
"""

import os
import pathlib
import struct
import subprocess
import sys
import tempfile
import unittest
import zlib

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
SCRIPT = ROOT / "scripts/join-pictures"
PICTURE = ROOT / "examples/programs/data/picture.pgm"
SHOWN = ROOT / "docs/pictures/summed-area.png"
SCALE, RADIUS = 8, 3  # of that picture; of examples/programs/summed_area.c


def decode(content):
    """The lines of a grey PNG of 8 bits without filters."""
    assert content[:8] == b"\x89PNG\r\n\x1a\n"
    chunks, at = {}, 8
    while at < len(content):
        size, kind = struct.unpack(">I4s", content[at : at + 8])
        data = content[at + 8 : at + 8 + size]
        (checked,) = struct.unpack(">I", content[at + 8 + size : at + 12 + size])
        assert checked == zlib.crc32(kind + data)
        chunks[kind] = data
        at += 12 + size
    width, height, *rest = struct.unpack(">IIBBBBB", chunks[b"IHDR"])
    assert rest == [8, 0, 0, 0, 0]
    pixels = zlib.decompress(chunks[b"IDAT"])
    assert len(pixels) == height * (width + 1)
    lines = [pixels[y * (width + 1) : (y + 1) * (width + 1)] for y in range(height)]
    assert all(line[0] == 0 for line in lines)
    return [list(line[1:]) for line in lines]


def pgm(lines):
    return b"P5\n%d %d\n255\n" % (len(lines[0]), len(lines)) + bytes(sum(lines, []))


class JoinPicturesTest(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)

    def join(self, *pictures, scale=1):
        """Return (the script's outcome, the lines of what it has made)."""
        names = []
        for i, picture in enumerate(pictures):
            names.append(self.folder / ("%d.pgm" % i))
            names[-1].write_bytes(picture)
        out = self.folder / "out.png"
        done = subprocess.run([sys.executable, str(SCRIPT), "--scale", str(scale), *map(str, names), str(out)],
                              stdout=subprocess.PIPE, stderr=subprocess.PIPE, universal_newlines=True)  # fmt: skip
        return done, decode(out.read_bytes()) if done.returncode == 0 else None

    def test_pictures_stand_side_by_side(self):
        _, lines = self.join(pgm([[1, 2], [3, 4]]), b"P5\n# with a comment\n1 1\n255\n\x07")
        self.assertEqual(lines, [[1, 2, 255, 255, 7], [3, 4, 255, 255, 255]])
        _, lines = self.join(pgm([[1, 2]]), scale=2)
        self.assertEqual(lines, [[1, 1, 2, 2]] * 2)

    def test_what_is_no_picture_is_named(self):
        for content in (b"P2\n1 1\n255\n0", b"P5\n1 1\n65535\n\0\0", b"P5\n2 2\n255\n\0\0\0"):
            done, _ = self.join(content)
            self.assertEqual(done.returncode, 1)
            self.assertIn("0.pgm", done.stderr)

    def test_the_picture_of_the_documentation(self):
        pixels = PICTURE.read_bytes()
        head = pixels.split(b"\n", 4)
        width, height = map(int, head[2].split())
        pixels = pixels[-width * height :]
        picture = [list(pixels[y * width : (y + 1) * width]) for y in range(height)]
        table = [[sum(sum(line[: x + 1]) for line in picture[: y + 1]) for x in range(width)] for y in range(height)]
        shown = [[cell * 255 // table[-1][-1] for cell in line] for line in table]

        def blurred(x, y):
            box = [line[max(x - RADIUS, 0) : x + RADIUS + 1] for line in picture[max(y - RADIUS, 0) : y + RADIUS + 1]]
            return sum(map(sum, box)) // (len(box) * len(box[0]))

        blur = [[blurred(x, y) for x in range(width)] for y in range(height)]
        _, lines = self.join(pgm(picture), pgm(shown), pgm(blur), scale=SCALE)
        self.assertEqual(lines, decode(SHOWN.read_bytes()))

    @unittest.skipUnless("CLSCAN_SUMMED_AREA" in os.environ, "CLSCAN_SUMMED_AREA does not name the program")
    def test_the_program_makes_the_picture_of_the_documentation(self):
        blur, table = self.folder / "blur.pgm", self.folder / "table.pgm"
        subprocess.run([os.environ["CLSCAN_SUMMED_AREA"], str(PICTURE), str(blur), str(table)], check=True)
        _, lines = self.join(PICTURE.read_bytes(), table.read_bytes(), blur.read_bytes(), scale=SCALE)
        self.assertEqual(lines, decode(SHOWN.read_bytes()))


if __name__ == "__main__":
    unittest.main()
