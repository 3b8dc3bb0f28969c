const shape = /^#([\da-f]{2})([\da-f]{2})([\da-f]{2})$/i
const fallback = '#1f2430'

const luminance = (hex: string) => {
  const [r = 0, g = 0, b = 0] = (shape.exec(hex) ?? []).slice(1).map((pair) => {
    const channel = Number.parseInt(pair, 16) / 255
    return channel <= 0.04045 ? channel / 12.92 : ((channel + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r + 0.7152 * g + 0.0722 * b
}

/** A button in the store's accent, and the ink of the two that reads better on it. What is no colour gives a dark button. */
export const buttonColours = (accent: string) => {
  const back = shape.test(accent) ? accent : fallback
  const light = luminance(back)
  return { back, front: 1.05 / (light + 0.05) >= (light + 0.05) / 0.05 ? '#ffffff' : '#000000' }
}
