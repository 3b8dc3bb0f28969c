import { expect, test } from 'vitest'
import { sendOnce } from './send-once'

const recorded = () => {
  const answers: PromiseWithResolvers<number>[] = []
  const send = sendOnce((_input: unknown) => {
    const answer = Promise.withResolvers<number>()
    answers.push(answer)
    return answer.promise
  })
  return { answers, send }
}

test('what is sent again while it is under way is sent once, and both get the answer', async () => {
  const { answers, send } = recorded()
  const both = [send({ text: 'Thanks', ids: ['a'] }), send({ text: 'Thanks', ids: ['a'] })]
  expect(answers).toHaveLength(1)
  answers[0]?.resolve(1)
  expect(await Promise.all(both)).toEqual([1, 1])
  void send({ text: 'Thanks', ids: ['a'] })
  expect(answers).toHaveLength(2)
})

test('a write that failed can be sent again', async () => {
  const { answers, send } = recorded()
  const failed = send(undefined)
  answers[0]?.reject(new Error('Unavailable'))
  await expect(failed).rejects.toThrow('Unavailable')
  void send(undefined)
  expect(answers).toHaveLength(2)
})

test('other texts and other files are sent beside what is under way', () => {
  const { answers, send } = recorded()
  for (const input of ['one', 'two', new File(['a'], 'a.png'), new File(['b'], 'a.png')]) void send(input)
  expect(answers).toHaveLength(4)
})
