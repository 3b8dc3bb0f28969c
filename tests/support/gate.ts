/** Something a test lets others wait for: how many do, and the moment they may go on. */
export const gate = () => {
  let open = () => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  const state = { waiting: 0, open: () => open() }
  return Object.assign(state, {
    pass: async () => {
      state.waiting++
      await opened
    },
  })
}
