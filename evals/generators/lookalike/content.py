"""The datasheet of one product: the same chapters and nearly the same words for all of them, other values.

Most chapters speak of "the device", as real datasheets do: without its place in the document, such a chapter does
not say whose it is.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from .drawings import application_circuit, block_diagram, pinout, typical_curve
from .family import PARAMETERS, Product, number
from .parts import Bullets, Chapter, Datasheet, Figure, Table, Text

__all__ = ["datasheet"]

_PIN_WORDS = {
    "IN": ("I", "Input supply. Place a ceramic capacitor close to this pin."),
    "OUT": ("O", "Regulated output. Place a ceramic capacitor close to this pin."),
    "GND": ("-", "Ground."),
    "EN": ("I", "Enable. Drive high to turn the device on, and low to turn it off."),
    "PG": ("O", "Power-good. Open-drain output that is high while the output is in regulation."),
    "FB": ("I", "Feedback. Connect to the middle of the output divider."),
    "NC": ("-", "No internal connection. Leave open or connect to ground."),
}
_LOW, _HIGH = 0.9, 1.15
"""How far the minimum and the maximum of an electrical characteristic are from its typical value."""


def datasheet(product: Product) -> Datasheet:
    """Write the document of a product."""
    title = f"{product.part} {number(product.values['iout'])}-mA Low-Dropout Voltage Regulator"
    chapters = [
        _features,
        _applications,
        _description,
        _pins,
        _specifications,
        _detailed,
        _application_information,
        _package,
        _revisions,
    ]
    return Datasheet(product.part, title, tuple(make(product, str(n)) for n, make in enumerate(chapters, start=1)))


def _features(p: Product, n: str) -> Chapter:
    signals = "power-good output" if p.power_good else "no power-good output"
    return Chapter(
        n,
        "Features",
        (
            Bullets(
                (
                    f"Output current: up to {p.say('iout')}",
                    "Input voltage down to 1.4 V, output adjustable or fixed",
                    f"Supply rejection: {p.say('psrr')} at 1 kHz",
                    "Stable with small ceramic capacitors",
                    f"Active output discharge, {signals}",
                    "Thermal shutdown and output current limit",
                    f"Available in the {p.package} package with {p.pins} pins",
                ),
                key="features",
            ),
        ),
    )


def _applications(p: Product, n: str) -> Chapter:
    return Chapter(n, "Applications", (Bullets(p.applications, key="applications"),))


def _description(p: Product, n: str) -> Chapter:
    return Chapter(
        n,
        "Description",
        (
            Text(
                f"The {p.part} is a low-dropout linear regulator of the {p.series} series, also sold under the name "
                f"{p.nickname}. It delivers a clean supply to noise-sensitive loads while it draws little current.",
                key="naming",
            ),
            Text(
                "The device starts without overshoot, discharges its output when it is turned off, and protects "
                "itself against overload and overheating. Its low noise makes it a good choice behind a switching "
                "converter, where the ripple of the first stage must not reach the load.",
            ),
            Text(
                "The device is specified over the full range of junction temperatures and is stable with ceramic "
                "capacitors at its input and output.",
            ),
        ),
    )


def _pins(p: Product, n: str) -> Chapter:
    names = _pin_names(p)
    rows = tuple((str(place), name, *_PIN_WORDS[name]) for place, name in enumerate(names, start=1))
    return Chapter(
        n,
        "Pin Configuration and Functions",
        (
            Text(f"The {p.package} package is seen from above; pin 1 is marked by a dot.", key="pins-text"),
            Figure("pinout", f"{p.package} package, top view", pinout(p.part, names)),
            Table("Pin functions", ("Pin", "Name", "Type", "Description"), rows, key="pins"),
        ),
    )


def _pin_names(p: Product) -> tuple[str, ...]:
    wanted = ["IN", "GND", "EN", "OUT", "PG" if p.power_good else "NC", "FB"][: p.pins]
    return tuple(wanted + ["NC"] * (p.pins - len(wanted)))


def _specifications(p: Product, n: str) -> Chapter:
    return Chapter(
        n,
        "Specifications",
        (Text("All voltages are measured against ground unless another reference is given.", key="reference"),),
        (
            _absolute(p, f"{n}.1"),
            _esd(p, f"{n}.2"),
            _recommended(p, f"{n}.3"),
            _thermal(p, f"{n}.4"),
            _electrical(p, f"{n}.5"),
            _typical(p, f"{n}.6"),
        ),
    )


def _absolute(p: Product, n: str) -> Chapter:
    rows = _rows(p, "absolute", lambda key, v: (_lower(key), number(v)))
    return Chapter(
        n,
        "Absolute Maximum Ratings",
        (
            Text(
                "Stresses beyond these ratings may damage the device for good. They are stress ratings only; "
                "operation at these or any other conditions beyond the recommended ones is not implied.",
            ),
            Table("Absolute maximum ratings", ("Parameter", "Symbol", "Min", "Max", "Unit"), rows, key="absolute"),
        ),
    )


def _lower(key: str) -> str:
    return {"tj_abs": "-40", "tsol": "-"}.get(key, "-0.3")


def _esd(p: Product, n: str) -> Chapter:
    rows = tuple(
        (d.label, d.symbol, d.condition, f"±{number(p.values[key])}", d.unit)
        for key, d in PARAMETERS.items()
        if d.table == "esd"
    )
    columns = ("Model", "Symbol", "Condition", "Value", "Unit")
    return Chapter(
        n,
        "ESD Ratings",
        (
            Text("Handle the device with the usual care against electrostatic discharge."),
            Table("ESD ratings", columns, rows, key="esd"),
        ),
    )


def _recommended(p: Product, n: str) -> Chapter:
    low = {"vin_max": "1.4", "iout": "0", "cin": "0.1", "cout": "1", "esr": "0"}
    rows = _rows(p, "recommended", lambda key, v: (low[key], number(v)))
    return Chapter(
        n,
        "Recommended Operating Conditions",
        (
            Text("The device meets its characteristics within these conditions."),
            Table(
                "Recommended operating conditions",
                ("Parameter", "Symbol", "Min", "Max", "Unit"),
                rows,
                key="recommended",
            ),
        ),
    )


def _thermal(p: Product, n: str) -> Chapter:
    rows = _rows(p, "thermal", lambda _, v: (number(v),))
    return Chapter(
        n,
        "Thermal Information",
        (
            Text("The figures hold for a four-layer board after the usual standards, without forced air."),
            Table("Thermal information", ("Thermal metric", "Symbol", "Value", "Unit"), rows, key="thermal"),
        ),
    )


def _electrical(p: Product, n: str) -> Chapter:
    rows = tuple(
        (
            d.label,
            d.symbol,
            d.condition or "-",
            number(round(v * _LOW, 3)),
            number(v),
            number(round(v * _HIGH, 3)),
            d.unit,
        )
        for key, d in PARAMETERS.items()
        if d.table == "electrical"
        for v in (p.values[key],)
    )
    columns = ("Parameter", "Symbol", "Test conditions", "Min", "Typ", "Max", "Unit")
    return Chapter(
        n,
        "Electrical Characteristics",
        (
            Text(
                "At an ambient temperature of 25 °C, an input voltage 0.5 V above the output voltage, a load of 1 mA "
                "and ceramic capacitors at input and output, unless noted otherwise.",
            ),
            Table("Electrical characteristics", columns, rows, key="electrical"),
        ),
    )


def _typical(p: Product, n: str) -> Chapter:
    return Chapter(
        n,
        "Typical Characteristics",
        (
            Text("The curve was measured on a sample of production devices at nominal conditions."),
            Figure("curve", "Quiescent current versus junction temperature", typical_curve(p.values["iq"])),
        ),
    )


def _detailed(p: Product, n: str) -> Chapter:
    overview = Text(
        f"The {p.part} compares a part of its output voltage with an internal reference and drives a pass transistor "
        "so that both are equal. The reference is filtered on the chip, which keeps the noise of the output low.",
        key="overview",
    )
    diagram = Figure("blocks", "Functional block diagram", block_diagram(p.power_good))
    return Chapter(
        n,
        "Detailed Description",
        (),
        (
            Chapter(f"{n}.1", "Overview", (overview,)),
            Chapter(f"{n}.2", "Functional Block Diagram", (Text("The main blocks are shown below."), diagram)),
            Chapter(f"{n}.3", "Feature Description", (), _feature_chapters(p, f"{n}.3")),
            Chapter(
                f"{n}.4",
                "Device Functional Modes",
                (Text("The mode follows from input, enable pin and temperature."), _modes(p)),
            ),
        ),
    )


def _feature_chapters(p: Product, n: str) -> tuple[Chapter, ...]:
    pulls = number(p.values["rdis"] // 10 * 2 + 3)
    texts = (
        (
            "Enable",
            "enable",
            f"The enable pin has a pull-down of {pulls} MOhm, so that an open pin keeps the device off. After a rising "
            f"edge the reference settles first, then the output ramps up within {p.say('tstart')}.",
        ),
        (
            "Undervoltage Lockout",
            "lockout",
            f"The device stays off until the supply exceeds {p.say('uvlo')} and turns off again when the supply "
            f"has fallen {p.say('hyst')} below that level, which keeps a slowly rising supply from "
            "switching it on and off.",
        ),
        (
            "Output Current Limit",
            "limit",
            f"An overload is limited to {p.say('icl')}. In a short circuit the limit folds back to "
            f"{number(round(p.values['icl'] * 0.35))} mA, so that the power lost in the pass transistor stays low.",
        ),
        (
            "Thermal Shutdown",
            "shutdown",
            f"The device turns its output off when the junction reaches {p.say('tsd')} and starts again by itself "
            f"after the junction has cooled by {p.say('thys')}. Continuous operation close to the threshold shortens "
            "the life of the device.",
        ),
        (
            "Output Discharge",
            "discharge",
            f"While the device is disabled, a resistance of {p.say('rdis')} discharges the output capacitor to ground. "
            "Do not drive the output from another supply while the device is off.",
        ),
    )
    return tuple(
        Chapter(f"{n}.{place}", title, (Text(text, key),)) for place, (title, key, text) in enumerate(texts, start=1)
    )


def _modes(p: Product) -> Table:
    low = number(round(p.values["uvlo"] - p.values["hyst"] / 1000, 3))
    rows = (
        ("Normal", f"above {p.say('uvlo')}", f"above {p.say('ven_hi')}", f"below {p.say('tsd')}", "In regulation"),
        ("Dropout", "below V(OUT) + V(DO)", f"above {p.say('ven_hi')}", f"below {p.say('tsd')}", "Follows the input"),
        ("Disabled", f"below {low} V", "below 0.3 V", f"above {p.say('tsd')}", "Off and discharged"),
    )
    return Table("Device functional modes", ("Mode", "Supply", "Enable pin", "Junction", "Output"), rows, key="modes")


def _application_information(p: Product, n: str) -> Chapter:
    design = _rows(p, "design", lambda _, v: (number(v),))
    requirements = Chapter(
        f"{n}.1.1",
        "Design Requirements",
        (
            Text("The example uses these values."),
            Table("Design parameters", ("Design parameter", "Symbol", "Value", "Unit"), design, key="design"),
        ),
    )
    procedure = Text(
        "Choose the divider for the wanted output voltage, keep the current through it well above the leakage of the "
        "feedback pin, and check the power lost in the device against the thermal resistance of its package.",
        key="procedure",
    )
    circuit = Figure("circuit", "Typical application circuit", application_circuit(p.part, p.say("cin"), p.say("cout")))
    supply = Text(
        f"Use a supply that can deliver at least {number(p.values['icl'] + 60)} mA, and place a bulk capacitor of "
        f"{number(p.values['cout'] * 2)} µF next to it where the wires are longer than "
        f"{number(p.values['r2'] // 3)} cm.",
        key="supply",
    )
    layout = Text(
        f"Keep both capacitors within {number(p.values['pitch'] * 5)} mm of the pins, connect the ground pin to a "
        f"copper area of at least {number(p.values['rja'] // 2)} square millimetres, and route the feedback trace away "
        "from the inductor of a switching converter.",
        key="layout",
    )
    return Chapter(
        n,
        "Application Information",
        (Text("The circuits show proven uses; verify them in the final system.", key="application-note"),),
        (
            Chapter(
                f"{n}.1",
                "Typical Application",
                (Text("The device supplies a sensor from a battery."), circuit),
                (requirements, Chapter(f"{n}.1.2", "Detailed Design Procedure", (procedure,))),
            ),
            Chapter(f"{n}.2", "Power Supply Recommendations", (supply,)),
            Chapter(f"{n}.3", "Layout Guidelines", (layout,)),
        ),
    )


def _package(p: Product, n: str) -> Chapter:
    size = _rows(p, "package", lambda _, v: (number(v),))
    order = (
        (f"{p.part}R", p.package, str(p.pins), str(p.reel), p.marking),
        (f"{p.part}T", p.package, str(p.pins), str(p.reel // 10), p.marking),
    )
    columns = ("Orderable part", "Package", "Pins", "Quantity per reel", "Marking")
    return Chapter(
        n,
        "Package Information",
        (),
        (
            Chapter(
                f"{n}.1",
                "Mechanical Data",
                (
                    Text("Dimensions are without mold flash, which does not exceed 0.15 mm on each side."),
                    Table("Package dimensions", ("Dimension", "Symbol", "Nominal", "Unit"), size, key="package"),
                ),
            ),
            Chapter(f"{n}.2", "Ordering Information", (Table("Ordering information", columns, order, key="ordering"),)),
        ),
    )


def _revisions(p: Product, n: str) -> Chapter:
    rows = (
        ("A", p.released, "First release"),
        ("B", p.revised, f"Changed the typical output noise to {p.say('noise')}"),
    )
    table = Table("Revision history", ("Revision", "Date", "Change"), rows, key="revisions")
    return Chapter(n, "Revision History", (table,))


def _rows(
    p: Product, table: str, cells: Callable[[str, float], Sequence[str]]
) -> tuple[tuple[str, ...], ...]:
    """The rows of a table: what every parameter's row starts with, its cells, its unit."""
    return tuple(
        (d.label, d.symbol, *cells(key, p.values[key]), d.unit) for key, d in PARAMETERS.items() if d.table == table
    )
