import { replaceEqualDeep } from '@tanstack/react-query'

const isSame = (one: unknown, other: unknown) => replaceEqualDeep(one, other) === one

/**
 * Leaves out what is sent again while it is under way, such as by the second click of a double
 * click, which comes before a button shows that it waits. It gets the answer of the first. The
 * first argument decides.
 */
export const sendOnce = <Sent extends readonly unknown[], Output>(
  send: (...sent: Sent) => Promise<Output>,
): ((...sent: Sent) => Promise<Output>) => {
  const underWay = new Set<{ input: unknown; answer: Promise<Output> }>()
  return (...sent) => {
    const [input] = sent
    const same = [...underWay].find((one) => isSame(one.input, input))
    if (same) return same.answer
    const write = { input, answer: send(...sent).finally(() => underWay.delete(write)) }
    underWay.add(write)
    return write.answer
  }
}
