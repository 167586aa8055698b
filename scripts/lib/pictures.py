"""Pictures for scripts: matplotlib where it is, and how to get it."""
import subprocess
import sys


def load_matplotlib():
    """matplotlib.pyplot that draws into files, or None."""
    try:
        import matplotlib
    except ImportError:
        return None
    matplotlib.use("Agg")
    from matplotlib import pyplot
    return pyplot


def install():
    """Get matplotlib, or say how."""
    if load_matplotlib() is not None:
        print("matplotlib is here")
        return 0
    if subprocess.run([sys.executable, "-m", "pip", "install", "--user", "matplotlib"]).returncode != 0:
        print("pip could not install matplotlib; try your system's package, such as python3-matplotlib",
              file=sys.stderr)
        return 1
    return 0


def save(plot, figure, folder, name):
    """Write a picture as PNG and SVG, and say where."""
    figure.tight_layout()
    for suffix in ("png", "svg"):
        path = folder / ("%s.%s" % (name, suffix))
        figure.savefig(path, dpi=150)
        print(path)
    plot.close(figure)
