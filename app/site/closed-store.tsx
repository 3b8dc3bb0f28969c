import type { ReactNode } from 'react'

export function ClosedStore({ title, text }: { title: ReactNode; text: ReactNode }) {
  return (
    <>
      <h1>{title}</h1>
      <p>{text}</p>
    </>
  )
}
