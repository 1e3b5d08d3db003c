// One cube, solved and then R U F, in the forms of other programs.

export const RUF = "UUUUUULLDFBBFRRFRRFFRFFRDDRRRUDDBDDBFFDLLDLLBLLLUBBUBB";

export const FORMS = {
  scramble: "R U F",
  SiGN: "R U F (x x')",
  "Kociemba's moves": "R1 U1 F1",
  facelets: RUF,
  colours: "wwwwwwooygbbgrrgrrggrggryyrrrwyybyybggyooyoobooowbbwbb",
  ULFRBD: "UUUUUULLDFFDLLDLLBFFRFFRDDRFBBFRRFRRLLLUBBUBBRRUDDBDDB",
  digits: "0111111226336226225334334664355344344222155155441665665",
  net: "   UUU\n   UUU\n   LLD\nFFDFFRFBBLLL\nLLDFFRFRRUBB\nLLBDDRFRRUBB\n   RRU\n   DDB\n   DDB",
  Reid: "LF UB UL UF RD BR DB DL RF FD UR BL DRF UBL ULF LDF UFR RDB DLB BUR",
  nissy: "GETVSBAH=ZFCXBAGLYTKE=A",
  Speffz: "dgtbcvc.onmqeilJ",
  "Twizzle binary": "af 1e 24 f4 46 2a c2 82 d8 00 00",
  KPattern:
    '{"patternData":{"EDGES":{"pieces":[9,2,3,0,5,10,6,7,8,4,1,11],"orientation":[1,0,0,0,1,0,0,0,1,1,0,0]},' +
    '"CORNERS":{"pieces":[4,2,3,5,0,7,6,1],"orientation":[0,0,0,2,0,2,0,2]},' +
    '"CENTERS":{"pieces":[0,1,2,3,4,5],"orientation":[0,0,0,0,0,0]}}}',
  "alg.cubing.net": "https://alg.cubing.net/?setup=R_U_F",
  "alpha.twizzle.net": "https://alpha.twizzle.net/edit/?setup-alg=R+U+F",
  "cubedb.net": "https://cubedb.net/?puzzle=3&scramble=R_U_F&alg=&title=&time=",
};
