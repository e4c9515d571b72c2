/** Files that are easily read in a wrong way, for the reader of the command line and the reader of the page. */

export interface OddFile {
  readonly name: string;
  readonly content: string | Uint8Array;
  readonly columns?: Readonly<Record<string, string | number>>;
}

const latin1 = (text: string) => Uint8Array.from(text, (char) => char.charCodeAt(0));
const numbered = (count: number, row: (i: number) => string) =>
  `${Array.from({ length: count }, (_, i) => row(i)).join("\n")}\n`;
const file = (name: string, content: string | Uint8Array, columns?: OddFile["columns"]): OddFile => ({
  name,
  content,
  ...(columns === undefined ? {} : { columns }),
});

const LONG = numbered(3000, (i) => `a${i},b${i},1`);

/** Files that both read as the same graph. */
export const READABLE: readonly OddFile[] = [
  file("marked.csv", "\uFEFFSource,Target\na,b\nb,c\n"),
  file("pair.csv", "user_a,user_b,kind\nx,y,msg\ny,z,call\n"),
  file("blank-lines.csv", "\n\nsource,target\n\na,b\n\nb,c"),
  file("crlf.csv", "source,target\r\na,b\r\nb,c\r\n"),
  file("cr.csv", "source,target\ra,b\rb,c\r"),
  file("quoted.csv", 'source,target,weight\n"a, b","c ""d""",2\n"x\ny",c,3\n'),
  file("blanks-around.csv", "source, target\n a , b\nb, c \n\u00a0c,a\n"),
  file("weights.csv", "source,target,weight\na,b,.5\nb,a,1e-3\na,b,+2\nb,c,0\nc,d,3\nd,d,4\n"),
  file("tiny.csv", "source,target,weight\na,b,1e-50\nb,c,0.1\nc,a,1e-310\n"),
  file("sums.csv", "source,target,w\na,b,0.1\nb,a,0.2\na,b,0.3\nb,c,16777217\nc,b,1\n"),
  file("ones.csv", "source,target,weight\na,b,1\nb,c,1.0\n"),
  file("relations.csv", "layer,from,to\nx10,a,b\nx2,b,c\nx10,b,a\nX2,a,c\n"),
  file("both.csv", "gene1,gene2,source,score\nA,B,string,0.5\nB,C,biogrid,0.7\nC,D,string,0.2\nD,A,biogrid,0.1\n"),
  file("snap.txt", "# source target weight\n0 17 5\n2 40 3\n17 2 1\n"),
  file("grid.tsv", "#Id\tSym A\tSym B\tSys\n1\tP\tQ\tppi\n2\tP\tR\tgen\n", {
    source: "Sym A",
    target: "Sym B",
    relation: "Sys",
  }),
  file("positions.csv", "p1,p2,score\na,b,1\n", { source: 1, target: 2 }),
  file("row-names.tsv", "source\ttarget\n1\ta\tb\n2\tb\tc\n"),
  file("positions.tsv", "#Id\tSym A\tSym B\tSys\n1\tP\tQ\tppi\n2\tP\tR\tgen\n", { source: 2, target: 3 }),
  file("tags.csv", "#art,#music\n#art,bob\nann,#cats\nbob,ann\n"),
  file("towns.txt", "New York|Paris, TX\nParis, TX|Rome\nRome|New York\n"),
  file("numbers.txt", "1,2\n2,3\n3,4\n"),
  file("bank.csv", "From,Account,To,Account,Amount\n1,A,2,B,3.5\n1,B,2,C,2.5\n", { source: 2, target: 4 }),
  file("none.csv", "source,target,type,score\na,b,x,-\nb,c,x,2\n", { weight: "none", relation: "none" }),
  file("r blanks.txt", '"from" "to" "weight"\n"a b" "c" 2\n"c" "d" 1\n'),
  file("r names.txt", '"from" "to" "weight"\n"1" "a b" "c" 2\n"2" "c" "d" 1\n'),
  file("ends.csv", "source,target,weight\na,b,1,\nb,c,2,\nc,a,4,\n"),
  file("joined.csv", "source,target\na,b\nb,c\nsource,target\nc,d\n"),
  file(
    "layers.txt",
    numbered(300, (i) => `${1 + (i % 3)} ${i % 20} ${(i + 7) % 20}`),
  ),
  file(
    "weighted layers.edges",
    numbered(60, (i) => `${1 + (i % 3)}  ${i % 20}\t${(i + 7) % 20} ${i % 5}.5`),
  ),
  file("pairs.edgelist", "a b\nb c\n \nc a\n"),
  file(
    "konect.txt",
    `% sym positive\n% 200 43 43\n${numbered(200, (i) => `${1 + (i % 40)} ${1 + ((7 * i) % 43)} ${1 + ((i * i) % 997)}`)}`,
  ),
  file("gephi.csv", "Source,Target,Type,Weight,Label\n1,2,Undirected,1,work\n2,3,Directed,2,home\n"),
  file("gephi-kind.csv", "Source,Target,Type,kind\na,b,Undirected,x\nb,c, undirected ,y\n"),
  file("gephi-bare.csv", "Source,Target,Type,kind\na,b,Undirected,\nb,c,Undirected,\n"),
  file("films.csv", `source,target,type\n${"a,b,DIRECTED\n".repeat(1200)}b,c,ACTED_IN\n`),
  file("invisible.csv", "source,target\na\u200B,b\na,c\nb,c\n"),
  file("emoji.csv", "source,target\n👩\u200D👧,\uFFFD\u{10FFFF}\n\uE000,\u{1F600}\nMüller,Mu\u0308ller\n"),
  file("markup.csv", 'source,target\n<img src=x onerror=alert(1)>,"</script>"\n"</script>",b\n'),
  file("arrows.txt", "a -> b\nb -> c\n", { source: 1, target: 3 }),
  file("long numbers.csv", "source,target\n89490200001234567117,89490200001234567118\n007,7\n7.0,7\n"),
  file("star.csv", `source,target\n${"a".repeat(240)},b\nustar,d\n`),
  file(
    "large.csv",
    `source,target,weight\n${numbered(30_000, (i) => `node ${(i * 7919) % 5000},node ${(i * 104_729 + 13) % 5000},${1 + (i % 7)}`)}`,
  ),
  file("lines.jsonl", '{"source":"a","target":"b","value":3}\n\n{"target":"c","source":"b","x":{"y":[1]}}\n'),
  file(
    "typed.jsonl",
    '{"source":1,"target":-2,"type":true,"weight":"2"}\n{"source":12345678901,"target":"x y ","type":false,"weight":0.25}\n',
  ),
  file("nested.json", '[{"source":"a","target":"b{","meta":{"x":1}},{"source":"c","target":"d"}]'),
  file("array.json", '[\n  {"from": "a", "to": 2, "weight": 1},\n  {"from": "b", "to": 2, "weight": 2.5}\n]\n'),
];

/** Files that both refuse with the same message. */
export const REFUSED: readonly OddFile[] = [
  file("empty.csv", ""),
  file("blank.csv", "\n\n"),
  file("header.csv", "source,target\n"),
  file("other.csv", "p1,p2,s\nx,y,1\n"),
  file("one.csv", "a\nb\n"),
  file("named.csv", "caller,callee,kind\nx,y,msg\n"),
  file("graph.gml", "graph [\n  node [ id 1 ]\n]\n"),
  file("comma.csv", "source;target;weight\na;b;0,5\n"),
  file("decimal.csv", "a;b;0,5\nb;c;0,7\n", { source: 1, target: 2, weight: 3 }),
  file("ragged.csv", `source,target,weight\n${LONG}c,d\n`),
  file("open.csv", 'source,target\n"a\nx",b\n"c,d\ne,f\n'),
  file("after.csv", 'source,target\na,b\n"c"x,d\n'),
  file("null.csv", "source,target\r\na,b\r\n\r\n,d\r\n"),
  file("blank-name.csv", "source,target\na,\u00a0\nb,c\n"),
  file("negative.csv", "source,target,weight\na,b,1\nc,d,-0.5\n"),
  file("huge.csv", "source,target,weight\na,b,1e39\n"),
  file("underscore.csv", "source,target,weight\na,b,1_000\n"),
  file("hex.csv", "source,target,weight\na,b,0x10\n"),
  file("latin.csv", latin1("source,target\na,b\ncaf\xe9,d\n")),
  file("mixed.csv", "source,target\r\na,b\r\nc,d\ne,f\r\n"),
  file("hole.csv", "source,target\na,b\nb\0,c\n"),
  file("late.csv", `source,target\n${"abcdef,ghijkl\n".repeat(20_000)}a\0,b\n`),
  file("paper.pdf", "%PDF-1.4\n1 0 obj\n"),
  file("text.parquet", "not parquet at all"),
  file("lab.csv", "node,label\na,x\nb,y\n"),
  file("list.txt", "a b c d\nb c\nc d e\n"),
  file("almost.csv", "n,a,b,c\na,0,1,x\nb,1,0,1\nd,1,1,0\n"),
  file("misspelt.csv", "p1,p2,score\na,b,1\n", { source: "p1", target: "p3" }),
  file("unclear.csv", "ann,17\n3,4\n5,6\n", { source: 1, target: 2 }),
  file("decimals.csv", "source,target,weight\nann,bob,0,5\nbob,cyd,1,5\n"),
  file("decimals.tsv", "a\tb\t0,5\nb\tc\t1\n"),
  file("too-few.csv", "sender,receiver\nann,bob\n", { source: 1, target: 2, weight: 3 }),
  file("json.jsonl", '{"source": "a", "target": "b"}\n{"source": "a",\n'),
  file("null.jsonl", '{"source": "a", "target": "b"}\n\n{"source": "a"}\n'),
  file("keys.jsonl", '{"a": "a", "b": "b"}\n'),
  file("marked.jsonl", '\uFEFF{"source":"a","target":"b"}\n{"source":"b","target":"c"}\n'),
  file("lists.jsonl", '{"source":"a","target":["b","c"]}\n'),
  file("object.json", '{\n "a": 1\n}\n'),
  file("late.json", '[{"source":"a","target":"b"},{"source":"c","target":"d","weight":5}]'),
  file("escaped.jsonl", '{"source": "a", "target": "b"}\n{"source": "a\\u0000", "target": "b"}\n'),
];

/** Files that only the command line reads. */
export const COMMAND_LINE_ONLY: readonly (OddFile & { readonly kind: string })[] = [
  { ...file("net.sif", "a\tpp\tb\nb\tpd\tc\td\n"), kind: "a SIF file" },
  { ...file("matrix.csv", ",a,b,c\na,0,1,0\nb,1,0,2\nc,0,2,0\n"), kind: "an adjacency matrix" },
  {
    ...file("force.json", '{"nodes":[{"id":"a"},{"id":"b"}],"links":[{"source":"a","target":"b"}]}'),
    kind: "a JSON object of nodes and links",
  },
];
