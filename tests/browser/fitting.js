// What does not fit on the screen with this text size in percent, as sentences; and where the fixed
// places of the table are.
async (text) => {
  // At 100, the page itself decides: large windows have larger text.
  document.documentElement.style.fontSize = text === 100 ? '' : `${text}%`
  for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame)
  const over = document.querySelector('.main.over') !== null
  const wrong = []
  const [width, height] = [innerWidth, innerHeight]
  const SLACK = 1
  const visible = (node) => {
    const { width, height } = node.getBoundingClientRect()
    return width > 0 && height > 0 && getComputedStyle(node).visibility === 'visible' && !node.closest('.sr, [inert]')
  }
  const all = (query) => [...document.querySelectorAll(query)].filter(visible)
  const nameOf = (node) => {
    const words = (node.getAttribute('aria-label') ?? node.innerText ?? '').trim().replace(/\s+/g, ' ').slice(0, 40)
    return `${node.localName}.${[...node.classList].slice(0, 2).join('.')} "${words}"`
  }
  const px = (value) => Math.round(value * 10) / 10

  function inside(node, rect, [left, top, right, bottom], where, slack = SLACK) {
    const out = [left - rect.left, top - rect.top, rect.right - right, rect.bottom - bottom]
    const most = Math.max(...out)
    if (most > slack) {
      const side = ['left of', 'above', 'right of', 'below'][out.indexOf(most)]
      wrong.push(`${nameOf(node)} is ${px(most)} px ${side} ${where}`)
    }
  }
  function apart(these, others) {
    for (const [one, other] of these.flatMap((one) => others.map((other) => [one, other]))) {
      const [a, b] = [one, other].map((node) => node.getBoundingClientRect())
      const across = Math.min(a.right, b.right) - Math.max(a.left, b.left)
      const down = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top)
      if (across > SLACK && down > SLACK) wrong.push(`${nameOf(one)} and ${nameOf(other)} overlap by ${px(Math.min(across, down))} px`)
    }
  }
  const screen = [0, 0, width, height]
  const edges = (node) => {
    const { left, top, right, bottom } = node.getBoundingClientRect()
    return [left, top, right, bottom]
  }

  // Everything that can be pressed: inside the screen, large enough for a finger, not covered.
  const scrolled = over ? '.acts' : ''
  const pressable = ['button', 'a[href]', 'select', 'input'].map((kind) => `.table ${scrolled} ${kind}`)
  for (const node of all(pressable.join())) {
    if (node.closest('.side .log, .hint-panel')) continue
    const target = node.closest('label') ?? node
    const rect = target.getBoundingClientRect()
    inside(node, rect, screen, 'the screen')
    if (Math.min(rect.width, rect.height) < 44 - 0.5) {
      wrong.push(`${nameOf(node)} is ${px(rect.width)} x ${px(rect.height)} px, too small to tap`)
    }
    for (const [x, y] of [[0.5, 0.5], [0.15, 0.5], [0.85, 0.5], [0.5, 0.2], [0.5, 0.8]]) {
      const found = document.elementFromPoint(rect.left + rect.width * x, rect.top + rect.height * y)
      if (found && !target.contains(found) && !found.contains(target)) {
        wrong.push(`${nameOf(node)} is covered by ${nameOf(found)}`)
        break
      }
    }
  }
  if (!over) {
    // The pieces, and what belongs to people.
    const pieces = '.bar, .seat, .seat h2, .seat .worms, .seat .brats, .seat .snails, .seat .held, .pile, .tiles, .slot > *, .board, .kdie, .total, .tray, .act > *'
    for (const node of all(pieces)) inside(node, node.getBoundingClientRect(), screen, 'the screen')
    for (const seat of all('.seat')) {
      for (const node of seat.querySelectorAll('h2, .worms, .brats, .snails, .held, .tiles, .pile .plate')) {
        if (visible(node)) inside(node, node.getBoundingClientRect(), edges(seat), 'the seat')
      }
    }
    for (const grill of all('.grill')) {
      for (const node of grill.querySelectorAll('.tile, .ghost, .spot, .fig')) {
        inside(node, node.getBoundingClientRect(), edges(grill), 'the grill', 2)
      }
    }
    for (const tray of all('.tray')) {
      // Dice lie a little crooked.
      for (const node of tray.querySelectorAll('.die')) inside(node, node.getBoundingClientRect(), edges(tray), 'the tray', 5)
      for (const node of tray.querySelectorAll('.tip, .answer, .question p')) inside(node, node.getBoundingClientRect(), edges(tray), 'the tray', 2)
      for (const die of tray.querySelectorAll('.die')) {
        if (die.offsetWidth < 44) wrong.push(`a die is ${die.offsetWidth} px`)
      }
    }
    for (const die of all('.board .kdie')) inside(die, die.getBoundingClientRect(), edges(die.closest('.kept')), 'the board', 2)
    // The places share the screen: none lies over another.
    const places = all('.bar, .seats, .grill, .me, .board, .tray, .recent, .act, .side')
    for (const [i, one] of places.entries()) apart([one], places.slice(i + 1))
    // My tiles and what else is mine, too.
    apart(all('.me .tiles'), all('.me h2, .me .worms, .me .brats, .me .snails, .me .held, .me .lab'))
  }
  // Words: none is cut off, none too small to read.
  for (const node of all('.say, .seat .body, .aftermath, .yours, .question p')) {
    if (node.scrollWidth > node.clientWidth + SLACK || node.scrollHeight > node.clientHeight + SLACK) {
      wrong.push(`${nameOf(node)}: the words are cut off`)
    }
  }
  for (const node of all('.say .t, .seat h2, .aftermath p, .question p')) {
    const size = parseFloat(getComputedStyle(node).fontSize)
    if (size < 8) wrong.push(`${nameOf(node)} is written in ${px(size)} px`)
  }
  const page = document.scrollingElement
  if (page.scrollWidth > width + SLACK) wrong.push(`the page scrolls sideways: ${page.scrollWidth} px`)
  if (page.scrollHeight > height + SLACK) wrong.push(`the page scrolls: ${page.scrollHeight} px of ${height}`)

  const fixed = {}
  for (const place of ['bar', 'seats', 'grill', 'me', 'board', 'tray', 'act']) {
    const node = document.querySelector(`.table .${place}`)
    if (node && visible(node)) fixed[place] = edges(node).map(px)
  }
  return { wrong: [...new Set(wrong)], fixed }
}
