"""Compiles what runs in a page from the same Python source that Numba compiles for a processor.

    .venv/check/bin/python scripts/webassembly.py            writes src/heckmeck/solver/kernels.wasm
    .venv/check/bin/python scripts/webassembly.py --check    only says whether it is up to date

Numba translates each entry point, and all that it calls, for the types with which it is called;
LLVM (of llvmlite) then compiles that for WebAssembly instead of this machine. Its object file is
nearly a module already: everything is in it, so there is nothing to link, and only the exports have
to be added. `heckmeck.solver.webassembly` loads the module and says how it is called.
"""

import ast
import hashlib
import json
import os
import re
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple

from heckmeck.solver.webassembly import read_number

# As Numba reads them when it is imported: plain code, the same on every machine, to be optimised
# for WebAssembly only.
PLAIN = {
    "NUMBA_OPT": "0",
    "NUMBA_LOOP_VECTORIZE": "0",
    "NUMBA_SLP_VECTORIZE": "0",
    "NUMBA_CPU_NAME": "generic",
    "NUMBA_CPU_FEATURES": "",
    "NUMBA_DISABLE_PERFORMANCE_WARNINGS": "1",
}
ROOT = Path(__file__).parent.parent
FILE = ROOT / "src" / "heckmeck" / "solver" / "kernels.wasm"
#: What Python calls, and the arguments that are written to.
ENTRIES = {
    "heckmeck.solver.kernel": {
        "solve_turns": "value roll",
        "play_best": "chance rolling",
        "share_turns": "shares",
    },
    "heckmeck.bulk.turns": {
        "_choose": "",
        "_chances_of_ends": "value chances",
        "_mean_after": "",
    },
    "heckmeck.bulk.tiles": {
        "_end_turns": "after ending may_stop",
        "_count_layers": "layers",
        "_fill_layers": "layers",
    },
    "heckmeck.bulk.barbecue": {"_end_turns": "after ending may_stop"},
    "heckmeck.bulk.junior": {"_end_turns": "after ending may_stop"},
    "heckmeck.values.features": {
        "_show_tiles": "out",
        "_show_barbecue": "out",
        "_show_junior": "out",
    },
    "heckmeck.values.network": {"layer": "", "softmax": ""},
}
#: Arguments that never change: the tables of a turn, and networks.
CONSTANT = {"t", "s", "weight", "bias"}
#: Modules whose functions are compiled: the module depends on these functions, and on constants.
SOURCES = (
    "arithmetic.py",
    "bulk/barbecue.py",
    "bulk/junior.py",
    "bulk/rows.py",
    "bulk/tiles.py",
    "bulk/turns.py",
    "rules/components.py",
    "solver/kernel.py",
    "values/features.py",
    "values/network.py",
)
#: Functions without a mark that are compiled all the same.
PLAINLY = {"exp"}
TRIPLE = "wasm32-unknown-unknown"
#: What every browser that can run Pyodide has.
FEATURES = "+bulk-memory,+nontrapping-fptoint,+sign-ext"
STACK = 1 << 16

#: Memory for arrays that compiled code creates: a stack of blocks. A block that is freed is given
#: back as soon as it is the topmost one. A block begins with Numba's description of it (MemInfo),
#: then the block below it, and whether it is free.
MEMORY = """
@top = global i32 0
@newest = global i32 0

define noalias ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 %align) {
  %block = load i32, ptr @top
  %length = trunc i64 %size to i32
  %data = add i32 %block, 64
  %last = add i32 %data, %length
  %padded = add i32 %last, 63
  %end = and i32 %padded, -64
  %pages = call i32 @llvm.wasm.memory.size.i32(i32 0)
  %have = shl i32 %pages, 16
  %enough = icmp ule i32 %end, %have
  br i1 %enough, label %found, label %grow
grow:
  %missing = sub i32 %end, %have
  %rounded = add i32 %missing, 1114111
  %more = lshr i32 %rounded, 16
  %grown = call i32 @llvm.wasm.memory.grow.i32(i32 0, i32 %more)
  %failed = icmp eq i32 %grown, -1
  br i1 %failed, label %none, label %found
none:
  ret ptr null
found:
  %info = inttoptr i32 %block to ptr
  store i64 1, ptr %info
  %at_data = getelementptr i8, ptr %info, i32 16
  store i32 %data, ptr %at_data
  %at_size = getelementptr i8, ptr %info, i32 24
  store i64 %size, ptr %at_size
  %below = load i32, ptr @newest
  %at_below = getelementptr i8, ptr %info, i32 32
  store i32 %below, ptr %at_below
  %at_free = getelementptr i8, ptr %info, i32 36
  store i32 0, ptr %at_free
  store i32 %end, ptr @top
  store i32 %block, ptr @newest
  ret ptr %info
}

define void @NRT_MemInfo_call_dtor(ptr %info) {
  %at_free = getelementptr i8, ptr %info, i32 36
  store i32 1, ptr %at_free
  br label %next
next:
  %block = load i32, ptr @newest
  %none = icmp eq i32 %block, 0
  br i1 %none, label %done, label %look
look:
  %newest = inttoptr i32 %block to ptr
  %at_flag = getelementptr i8, ptr %newest, i32 36
  %flag = load i32, ptr %at_flag
  %free = icmp ne i32 %flag, 0
  br i1 %free, label %pop, label %done
pop:
  store i32 %block, ptr @top
  %at_below = getelementptr i8, ptr %newest, i32 32
  %below = load i32, ptr %at_below
  store i32 %below, ptr @newest
  br label %next
done:
  ret void
}

define double @numba_ldexp(double %x, i32 %exponent) {
  ; exact: `heckmeck.arithmetic.exp` stays among normal numbers
  %biased = add i32 %exponent, 1023
  %wide = zext i32 %biased to i64
  %bits = shl i64 %wide, 52
  %power = bitcast i64 %bits to double
  %product = fmul double %x, %power
  ret double %product
}

; Lengths of arrays never overflow here, and a product of 128 bits would need a library.
define { i64, i1 } @checked_product(i64 %a, i64 %b) {
  %product = mul i64 %a, %b
  %pair = insertvalue { i64, i1 } zeroinitializer, i64 %product, 0
  ret { i64, i1 } %pair
}

; Plain memory is a block, too.
define noalias ptr @NRT_MemInfo_alloc(i64 %size) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 64)
  ret ptr %info
}
define noalias ptr @NRT_Allocate(i64 %size) {
  %info = call ptr @NRT_MemInfo_alloc_aligned(i64 %size, i32 64)
  %data = getelementptr i8, ptr %info, i32 64
  ret ptr %data
}
define void @NRT_Free(ptr %data) {
  %info = getelementptr i8, ptr %data, i32 -64
  call void @NRT_MemInfo_call_dtor(ptr %info)
  ret void
}

; Only for the text of errors that no caller can cause.
define void @PyErr_SetString(ptr %kind, ptr %text) {
  call void @llvm.trap()
  unreachable
}

declare void @llvm.trap()
declare i32 @llvm.wasm.memory.size.i32(i32)
declare i32 @llvm.wasm.memory.grow.i32(i32, i32)
"""
CHECKED = "declare { i64, i1 } @checked_product(i64, i64)"


class Entry(NamedTuple):
    """A compiled function: its name, Numba's name for it, and its types."""

    name: str
    symbol: str
    takes: list[str]
    returns: str
    text: str


def source_hash() -> str:
    """Return a hash of everything that the module is compiled from."""
    digest = hashlib.sha256(Path(__file__).read_text("utf-8").encode())
    for name in SOURCES:
        text = (ROOT / "src" / "heckmeck" / name).read_text("utf-8")
        for node in filter(_matters, ast.parse(text).body):
            digest.update(ast.unparse(_without_docstring(node)).encode())
    return digest.hexdigest()[:16]


def _matters(node: ast.stmt) -> bool:
    """Whether compiled code depends on a statement of a module."""
    if isinstance(node, ast.FunctionDef):
        marks = {each.id for each in node.decorator_list if isinstance(each, ast.Name)}
        return bool(marks & {"compiled", "compiled_lean", "inlined"}) or node.name in PLAINLY
    if isinstance(node, ast.ClassDef):
        return any(isinstance(base, ast.Name) and base.id == "NamedTuple" for base in node.bases)
    return isinstance(node, ast.Assign | ast.AnnAssign)


def _without_docstring(node: ast.stmt) -> ast.stmt:
    if isinstance(node, ast.FunctionDef | ast.ClassDef):
        node.body = [each for each in node.body if not _is_text(each)] or [ast.Pass()]
    return node


def _is_text(node: ast.stmt) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


# ------------------------------------------------------------------------------ by Numba


def use_everything() -> None:
    """Let champions and coach do what they do in a page, so that the types of calls are known."""
    from heckmeck import rules
    from heckmeck.bulk.rows import row_rules
    from heckmeck.coach.advice import advise
    from heckmeck.values import value_for
    from heckmeck.values.ahead import Deeper
    from heckmeck.values.course import changes
    from heckmeck.values.win import NetworkChances, networks_of

    for edition in rules.EDITIONS:
        on_rows = row_rules(edition)
        for seats in (2, 3):
            state = rules.new_game(edition, seats)
            advise(state, "worms")
            advise(state)
            list(changes([(state, rules.legal(state)[0])], value_for(state.table)))
            for network in networks_of(edition):
                if network.seats[0] <= seats <= network.seats[1]:
                    rows = on_rows.row(state.table, 0)[None]
                    Deeper(NetworkChances(network)).of(on_rows, rows, seats)


def entries() -> Iterator[Entry]:
    """Yield every entry point, as Numba translates it."""
    from importlib import import_module

    for module, names in ENTRIES.items():
        for name, written in names.items():
            dispatcher: Any = getattr(import_module(module), name)
            (signature,) = {tuple(map(_in_order, each)) for each in dispatcher.signatures}
            dispatcher.compile(signature)
            result = dispatcher.overloads[signature]
            yield Entry(
                f"{module}.{name}",
                result.fndesc.llvm_func_name,
                [*_takes(dispatcher.py_func.__code__.co_varnames, signature, written.split())],
                "".join(_codes(result.signature.return_type)),
                result.library.get_llvm_str(),
            )


def _takes(names: Sequence[str], kinds: Sequence[Any], written: list[str]) -> Iterator[str]:
    """Yield the codes of arguments; see `heckmeck.solver.webassembly.Entry`."""
    for name, kind in zip(names, kinds, strict=False):
        mark = "=" if name in written else "!" if name in CONSTANT else ""
        yield from (code + mark if len(code) > 1 else code for code in _codes(kind))


def _in_order(kind: Any) -> Any:  # noqa: ANN401 (Numba has no types for its types)
    """Return the type of an argument, with arrays whose numbers are one after the other."""
    from numba import types

    return kind.copy(layout="C", readonly=False) if isinstance(kind, types.Array) else kind


def _codes(kind: Any) -> list[str]:  # noqa: ANN401
    """Return a type as `heckmeck.solver.webassembly` describes it."""
    from numba import types
    from numba.np.numpy_support import as_dtype

    match kind:
        case types.Array():
            if isinstance(kind.dtype, types.Record):
                return [f"{kind.dtype.size}r{kind.ndim}"]
            return [f"{as_dtype(kind.dtype).char.replace('l', 'q')}{kind.ndim}"]
        case types.BaseTuple():
            parts: Any = kind
            return [code for each in parts.types for code in _codes(each)]
        case types.NoneType():
            return []
        case types.Boolean():
            return ["?"]
        case types.Float():
            return ["d"]
        case types.Integer():
            return ["q"]
    raise TypeError(f"{kind} is not passed to WebAssembly")


# ------------------------------------------------------------------------------ by LLVM


def compile_all(found: list[Entry]) -> bytes:
    """Return an object file with all entries, each called as ``name(arguments, heap)``."""
    from llvmlite import binding

    binding.initialize_all_targets()
    binding.initialize_all_asmprinters()
    target = binding.Target.from_triple(TRIPLE)
    machine = target.create_target_machine(features=FEATURES, opt=3)
    layout = str(machine.target_data)
    whole = _parsed(MEMORY, layout)
    for entry in found:
        part = _parsed(entry.text, layout)
        function = part.get_function(entry.symbol)
        types = [str(each.type) for each in function.arguments]
        whole.link_in(part)
        whole.link_in(_parsed(_call(entry, types), layout))
    exported = {entry.name for entry in found}
    for function in whole.functions:
        if not function.is_declaration and function.name not in exported:
            function.linkage = "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    options = binding.create_pipeline_tuning_options(speed_level=3)
    builder = binding.create_pass_builder(machine, options)
    builder.getModulePassManager().run(whole, builder)
    return bytes(machine.emit_object(whole))


def _parsed(text: str, layout: str) -> Any:  # noqa: ANN401 (llvmlite is not typed)
    from llvmlite import binding

    text = re.sub(r"^target .*$", "", text, flags=re.MULTILINE)
    # Addresses in this process, of functions that are called directly.
    text = re.sub(r"(= linkonce global ptr) inttoptr .*$", r"\1 null", text, flags=re.MULTILINE)
    text = re.sub(r"^declare .*@llvm.smul.with.overflow.i64.*$", CHECKED, text, flags=re.MULTILINE)
    text = text.replace("@llvm.smul.with.overflow.i64", "@checked_product")
    module = binding.parse_assembly(
        f'target datalayout = "{layout}"\ntarget triple = "{TRIPLE}"\n{text}'
    )
    module.verify()
    return module


def _call(entry: Entry, types: list[str]) -> str:
    """Return a function that takes the arguments out of memory.

    There, 128 bytes are for the result and 8 for an exception; then come the arguments, 8 each.
    """
    loads = [
        f"  %at{i} = getelementptr i8, ptr %arguments, i32 {136 + 8 * i}\n"
        f"  %a{i} = load {kind}, ptr %at{i}\n"
        for i, kind in enumerate(types[2:])
    ]
    passed = ", ".join(f"{kind} %a{i}" for i, kind in enumerate(types[2:]))
    return f"""
@top = external global i32
@newest = external global i32
declare i32 @"{entry.symbol}"({", ".join(types)})

define i32 @"{entry.name}"(ptr %arguments, i32 %heap) {{
  store i32 %heap, ptr @top
  store i32 0, ptr @newest
  %exception = getelementptr i8, ptr %arguments, i32 128
{"".join(loads)}
  %status = call i32 @"{entry.symbol}"(ptr %arguments, ptr %exception, {passed})
  ret i32 %status
}}
"""


# ------------------------------------------------------------------------------ as a module


def module_of(data: bytes, about: dict[str, object]) -> bytes:
    """Return an object file as a module that exports its named functions.

    Left out is what only a linker reads. ``about`` is added for those who load it.
    """
    sections = [*_sections(data)]
    names = {number: name for number, name in _functions(sections) if name.startswith("heckmeck.")}
    exports = _number(len(names))
    for number, name in sorted(names.items(), key=lambda item: item[1]):
        exports += _number(len(name)) + name.encode() + b"\0" + _number(number)
    about["static"] = _static_end(sections)
    section = _number(8) + b"heckmeck" + json.dumps(about, sort_keys=True).encode()
    out = data[:8]
    for kind, body in [(0, section), *((kind, body) for kind, body in sections if kind)]:
        if kind > 7 and exports:
            out += b"\7" + _number(len(exports)) + exports
            exports = b""
        out += bytes([kind]) + _number(len(body)) + body
    return out


def _sections(data: bytes) -> Iterator[tuple[int, bytes]]:
    assert data[:8] == b"\0asm\1\0\0\0", "an object file for WebAssembly"
    at = 8
    while at < len(data):
        kind = data[at]
        size, at = read_number(data, at + 1)
        yield kind, data[at : at + size]
        at += size


def _functions(sections: list[tuple[int, bytes]]) -> Iterator[tuple[int, str]]:
    """Yield the numbers and names of functions that have a name, from the table of symbols."""
    body = next(body for kind, body in sections if kind == 0 and body[1:8] == b"linking")
    version, at = read_number(body, 8)
    assert version == 2, "the version that we can read"
    while at < len(body):
        kind, (size, at) = body[at], read_number(body, at + 1)
        if kind == 8:
            yield from _symbols(body[at : at + size])
        at += size


def _symbols(body: bytes) -> Iterator[tuple[int, str]]:
    count, at = read_number(body, 0)
    for _ in range(count):
        kind, (flags, at) = body[at], read_number(body, at + 1)
        if kind == 3:  # a section
            _, at = read_number(body, at)
            continue
        if kind == 1:  # data
            size, at = read_number(body, at)
            at += size
            if flags & 0x10:
                raise ValueError(f"{body[at - size : at].decode()} is not defined anywhere")
            for _ in range(3):
                _, at = read_number(body, at)
            continue
        number, at = read_number(body, at)
        if flags & 0x10 and not flags & 0x40:
            continue  # an import, under its own name
        size, at = read_number(body, at)
        if kind == 0:
            yield number, body[at : at + size].decode()
        at += size


def _static_end(sections: list[tuple[int, bytes]]) -> int:
    """Return where the memory of constants ends."""
    body = next((body for kind, body in sections if kind == 11), b"\0")
    count, at = read_number(body, 0)
    end = 0
    for _ in range(count):
        assert body[at : at + 2] == b"\0\x41", "a segment of the only memory, at a constant"
        first, at = read_number(body, at + 2)
        size, at = read_number(body, at + 1)
        end = max(end, first + size)
        at += size
    return end


def _number(number: int) -> bytes:
    """Return a number as LEB128."""
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    return bytes([*out, number])


def main() -> None:
    """Compile, or check."""
    if "--check" in sys.argv:
        fresh = source_hash().encode() in FILE.read_bytes()
        sys.exit(
            0 if fresh else "kernels.wasm is older than its source: see scripts/webassembly.py"
        )
    with TemporaryDirectory() as cache:  # Numba renames what it finds in one
        os.environ.update(PLAIN, NUMBA_CACHE_DIR=cache)
        use_everything()
        found = [*entries()]
    about = {
        "source": source_hash(),
        "stack": STACK,
        "entries": {each.name: {"takes": each.takes, "returns": each.returns} for each in found},
    }
    FILE.write_bytes(module_of(compile_all(found), about))
    print(f"{FILE.relative_to(ROOT)}: {FILE.stat().st_size} bytes, {len(found)} functions")


if __name__ == "__main__":
    main()
