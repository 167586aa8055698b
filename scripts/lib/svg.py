"""A picture of lines over powers of two, as SVG, without any library: small, and the same each time."""

import math
from xml.sax.saxutils import escape

WIDTH, HEIGHT = 760, 380
LEFT, RIGHT, TOP, BOTTOM = 64, 110, 44, 52  # margins; the names of the lines stand at the right
COLOURS = ("#1f6feb", "#d1542c", "#2f8f4e", "#8250b8", "#9a7500")
COPY_COLOUR = "#555555"
NAME_HEIGHT = 16


def step_of(largest):
    """A round distance between the lines of the grid: at most six of them."""
    power = 10 ** math.floor(math.log10(largest))
    return next(power * factor for factor in (0.2, 0.5, 1, 2) if largest / (power * factor) <= 6)


def apart(places):
    """The names' places, moved down until none covers another."""
    moved = []
    for place in places:
        moved.append(max(place, moved[-1] + NAME_HEIGHT) if moved else place)
    overlap = max(0, moved[-1] - (HEIGHT - BOTTOM)) if moved else 0
    return [place - overlap for place in moved]


def exponent(count):
    """A power of two as one writes it."""
    power = count.bit_length() - 1
    return "2<tspan dy='-5' font-size='9'>%d</tspan>" % power if count == 1 << power else "%d" % count


def throughput(title, lines):
    """The text of a picture. `lines` are (name, {count: GB/s}); the one of name "copy" is dashed."""
    return over_counts(title, lines, exponent, "elements", "GB/s, read and written")


def over_counts(title, lines, mark, across, up):
    """The same of any values: `mark` writes a count, `across` and `up` name the axes."""
    counts = sorted({count for _, values in lines for count in values})
    largest = max(value for _, values in lines for value in values.values())
    first, last = math.log2(counts[0]), math.log2(counts[-1])
    step = step_of(largest)
    top = step * math.ceil(largest / step)

    def x(count):
        share = (math.log2(count) - first) / (last - first) if last > first else 0.5
        return LEFT + share * (WIDTH - LEFT - RIGHT)

    def y(value):
        return HEIGHT - BOTTOM - value / top * (HEIGHT - TOP - BOTTOM)

    out = ["<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 %d %d' width='%d' height='%d' "
           "font-family='sans-serif' font-size='12' fill='#222'>" % (WIDTH, HEIGHT, WIDTH, HEIGHT),
           "<title>%s</title>" % escape(title),
           "<rect width='%d' height='%d' fill='#fff'/>" % (WIDTH, HEIGHT),
           "<text x='%d' y='24' font-size='14'>%s</text>" % (LEFT, escape(title))]
    for i in range(round(top / step) + 1):
        out.append("<path d='M%d %.1fH%d' stroke='#ddd'/><text x='%d' y='%.1f' text-anchor='end'>%g</text>" % (
            LEFT, y(i * step), WIDTH - RIGHT, LEFT - 8, y(i * step) + 4, i * step))
    for count in counts:
        out.append("<text x='%.1f' y='%d' text-anchor='middle'>%s</text>" % (x(count), HEIGHT - BOTTOM + 20,
                                                                             mark(count)))
    out.append("<text x='%.1f' y='%d' text-anchor='middle'>%s</text>" % ((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 10,
                                                                         escape(across)))
    out.append("<text transform='translate(16 %.1f) rotate(-90)' text-anchor='middle'>%s</text>" % (
        (TOP + HEIGHT - BOTTOM) / 2, escape(up)))
    drawn = []
    colours = iter(COLOURS * (len(lines) // len(COLOURS) + 1))
    for name, values in lines:
        colour = COPY_COLOUR if name == "copy" else next(colours)
        points = " ".join("%.1f,%.1f" % (x(count), y(values[count])) for count in sorted(values))
        out.append("<polyline points='%s' fill='none' stroke='%s' stroke-width='2'%s/>" % (
            points, colour, " stroke-dasharray='6 4'" if name == "copy" else ""))
        drawn.append((y(values[max(values)]), name, colour))
    drawn.sort()
    for (_, name, colour), place in zip(drawn, apart([place for place, _, _ in drawn])):
        out.append("<text x='%d' y='%.1f' fill='%s'>%s</text>" % (WIDTH - RIGHT + 8, place + 4, colour, escape(name)))
    return "\n".join(out) + "\n</svg>\n"
