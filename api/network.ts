/**
 * What an address counts by. Whoever has an IPv6 address has the 2⁶⁴ of its network to choose from, so the network is what
 * counts; an IPv4 address counts by itself.
 */
export const networkOf = (address: string): string => {
  if (!address.includes(':')) return address
  const [front = '', back] = address.toLowerCase().split('%', 1)[0]!.split('::')
  const groups = front.split(':').filter(Boolean)
  const rest = (back ?? '').split(':').filter(Boolean)
  const left = back === undefined ? 0 : Math.max(0, 8 - groups.length - rest.length)
  const whole = [...groups, ...Array<string>(left).fill('0'), ...rest]
  const network = whole.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, ''))
  return `${network.join(':')}::/64`
}
