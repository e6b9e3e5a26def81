// Why a piece of a shell script cannot be judged, in words.
import type { Text } from '../../base/language.ts';

export type UnjudgedReason =
  | 'characters'
  | 'too-long'
  | 'syntax'
  | 'construct'
  | 'arithmetic'
  | 'expansion'
  | 'computed-program'
  | 'evaluates'
  | 'variable'
  | 'function'
  | 'redirection'
  | 'wrapper'
  | 'privilege'
  | 'test';

const WORDS: Record<UnjudgedReason, Text> = {
  characters: { en: 'control characters or unusual blanks', zh: '含控制字符或特殊空白' },
  'too-long': { en: 'too long to be judged', zh: '过长，无法判断' },
  syntax: { en: 'its syntax is not understood', zh: '语法无法理解' },
  construct: { en: 'a construct that is not judged', zh: '不判断的语法结构' },
  arithmetic: { en: 'arithmetic can run what its variables hold', zh: '算术求值可能执行变量内容' },
  expansion: { en: 'an expansion that evaluates', zh: '会求值的展开' },
  'computed-program': { en: 'which program it runs is known only at run time', zh: '所运行的程序在运行时才确定' },
  evaluates: { en: 'it evaluates its arguments', zh: '它会对参数求值' },
  variable: { en: 'this variable changes what later commands do', zh: '该变量会改变后续命令的行为' },
  function: { en: 'a function that may take the place of a program', zh: '函数可能取代程序' },
  redirection: { en: 'a redirection whose file is not known', zh: '重定向的文件无法确定' },
  wrapper: { en: 'what it would run cannot be told', zh: '无法确定它会运行什么' },
  privilege: { en: 'it changes privileges', zh: '它会改变权限' },
  test: { en: 'a test that may evaluate', zh: '可能求值的条件测试' },
};

export function sayUnjudged(reason: UnjudgedReason): Text {
  return WORDS[reason];
}
