/** Blocks callers of `pass` until the test calls `open`; `waiting` counts them. */
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
